import { oneOf } from './one-of.js';

/** "Always", "only", "make sure": an order that holds for more than this once. */
export const orders = oneOf([
  /^(?:you (?:must |should |will |need to |have to |are to )?)?(?:always|only ever|consistently|invariably|without fail|without exception)\b(?! (?:been|had|get|got|the case|fails?|works?|happens?)\b)/,
  /^(?:you (?:must |should |will |need to |have to |are to )?)?only (?!(?:i|it|he|she|they|we|the (?:first|second|last)|one|two|three|a|an|in|on|after|when|if|because|then|now|just|about|for|problem|issue|thing|question|need|want|have)\b)\w+/,
  /^(?:make (?:absolutely |very |100% )?sure|ensure|see to it|be sure|take care|be careful|mind (?:the|that|your)|watch out|remember to|don't forget to|do not forget to|be aware|be mindful)\b/,
  /^(?:treat|regard|consider|assume|pretend|act as|behave|suppose)\b(?! (?:the following|this (?:code|function|case|example|pr|issue)|the case)\b)(?=.*\b(?:as|that|every|all|any|everything|i|i'm|we|we're|you|you're|like|unless|with|are|is)\b)/,
  /^(?:stick to|adhere to|comply with|follow|respect|obey|honou?r|keep to|observe)\b(?! (?:these steps|the steps|up)\b)/,
  /^keep (?:track|a (?:list|log|record|running|copy|note)|(?:the|my|our|every|everything|names|old|each|any|client|customer|personal|secrets?|all)\b(?! (?:flight|reservation|upgrade|booking|one|same flight))\b[^.]*)/,
  /^work (?:only|in (?:small|the|a)|on a|from|with|inside|within)\b|^do (?:all|every|the|your|any) \w+ (?:in|on|with|under)\b/,
  /^use (?:only|nothing but|the (?:staging|test|sandbox|internal|existing|company|corporate|v\d|metric|official|shared|dev\w*)|my (?:full|first|last|work|personal|maiden|middle)|our|npm|pnpm|yarn|bun|pip|poetry|uv|docker|podman|make|gradle|maven|postgres|sqlite|vitest|jest|pytest)\b|^use [^.]{2,60}\b(?:for (?:everything|all|every|any|each)|everywhere|throughout|wherever|instead of|rather than|unless|by default)\b/,
  /^(?:save|store|log|cc|bcc|copy|draft|run|book|double-check|verify|confirm|escalate|redact|anonymi[sz]e|mask|sign|tag|batch|group|test|check|validate|review|archive|back up|document|record|report|translate|encrypt|cite|flag|explain|justify|track|update|route|forward|send|file|label|answer|handle|charge|bill|schedule|ship|deploy|commit|format|lint|search|read|quote|include|add|write|create|give|show|tell|put|name|mention|link|list|ask|prefix|attach|append|note|mark|assign|make|call|notify|inform|ping|warn)\b[^.]*\b(?:every|each|always|whenever|everything|anything|all (?:of |the |my |our |your )?(?:\w+ )?\w+s\b(?=[^.]*\b(?:in|to|with|through|via|under|as|by|before|after|for|on|into)\b)|any (?!other|way|chance|of)\w+|any time|at all times|after each|after every|by default)\b/,
  /^(?:redact|anonymi[sz]e|mask|escalate|cc|bcc|draft (?:them|it|everything|all)|copy \w+ (?:in|on))\b/,
  /^(?:ask|say so|speak up|tell me|flag it|come back to me|check)\b[^.]*\b(?:rather than|instead of|if (?:you(?:'re| are)|in doubt|unsure|anything|something|a|any))\b|^be \w+ (?:with|about|when|in|to) (?:me|all|every|any|your|customers|people|users|the)\b/,
  /^(?:book|choose|pick|select|buy|order|reserve|suggest|recommend|offer|propose|schedule|plan|find) (?:me |us )?(?:only|nothing but|exclusively|always|preferably|(?:aisle|window|refundable|nonstop|direct|vegan|vegetarian|economy|business|morning|evening|afternoon) \w+s\b)/,
]);

const verbs =
  /^(?:accept|act|let|archive|abort|cancel|change|collect|combine|compress|disable|download|enable|fill|fix|generate|introduce|invite|learn|listen|lock|mind|monitor|mute|pack|pause|plot|pull|query|refactor|remember|rerun|resolve|retry|revert|scan|select|solve|stage|swap|tidy|trim|unsubscribe|water|wrap|set|reference|rotate|branch|mask|roll|rewrite|redact|drive|investigate|refund|reorder|scale|transfer|exclude|add|address|allow|answer|apply|approve|ask|assign|attach|avoid|back|begin|bill|book|bring|build|buy|call|charge|check|choose|cite|clean|close|commit|compare|confirm|consider|contact|convert|copy|count|cover|create|cut|decide|default|delete|deliver|deploy|describe|discard|discuss|document|double-check|draft|drop|edit|email|encrypt|end|escalate|estimate|expect|explain|export|fetch|file|filter|find|finish|flag|focus|follow|format|forward|get|give|go|group|handle|hide|highlight|hold|ignore|import|include|inform|insert|install|invoice|keep|label|leave|link|list|log|look|mail|make|mark|measure|mention|merge|message|move|name|note|notify|number|offer|omit|open|order|organi[sz]e|pay|pick|plan|point|post|prefer|prefix|prepare|present|print|prioriti[sz]e|propose|protect|publish|push|put|quote|raise|rank|read|recommend|record|refer|refuse|reject|release|remind|remove|rename|repeat|replace|reply|report|request|reserve|respond|restart|return|review|round|route|run|save|say|schedule|search|send|separate|set|share|ship|show|sign|skip|sort|specify|spell|split|start|state|stay|stick|stop|store|submit|suggest|summari[sz]e|switch|tag|take|talk|tell|test|think|track|translate|treat|try|turn|type|update|upload|use|validate|verify|wait|warn|wear|work|write)\b/;
const general =
  /\b(?:any(?! (?:other|way|chance|updates?|news))|anything|anyone|anybody|every(?!one else)|everything|everyone|each|wherever|whenever|unless|rather than|at all times|by default|at any point|no matter|on \w+days\b|on \w+day (?:morning|evening|afternoon|night)s|in the (?:morning|evening)s)\b/;

/** An imperative about anything of its kind, and not about one thing. */
export const isGeneralOrder = (clause: string): boolean =>
  (isOrder(clause) || bareVerb.test(clause)) && general.test(clause);

/** An imperative: it begins with the bare verb. */
export const isOrder = (clause: string): boolean => verbs.test(clause);

/** A bare verb of any kind with its object or particle: "tick it off", "own every mistake". */
const bareVerb =
  /^(?!(?:i|you|he|she|it|we|they|this|that|these|those|the|a|an|my|our|your|his|her|their|there|here|is|are|am|was|were|be|been|do|does|did|has|have|had|can|could|will|would|should|may|might|must|shall|what|which|who|whom|whose|how|when|where|why|whether|and|but|or|so|nor|not|no|yes|yeah|nope|ok|okay|nothing|nobody|none|something|someone|everyone|in|on|at|of|for|with|without|from|by|to|into|as|than|then|if|because|since|while|until|after|before|during|about|like|unlike|just|also|even|still|maybe|perhaps|once|again|now|today|tomorrow|yesterday|same|such|both|either|neither|all|every|any|each|some|most|many|much|more|less|few|one|two|three|first|last|next|new|old|good|great|fine|sorry|hello|hi|hey|dear|got|went|said|told|made|took|saw|found|left|came|gave|bought|sent|paid|lost|kept|met|felt|held|knew|thought|brought|became|began|broke|chose|fell|flew|forgot|grew|heard|led|meant|ran|rose|sat|sold|spoke|spent|stood|taught|threw|won|wore|wrote|per|via|out|up|down|off|over|back|due|well|right|never|always|only|over|under|whoever|whatever|everywhere)\b)[a-z]+(?:-[a-z]+)?(?<!(?:ed|ing|ly|s|tion|ment|ness)) (?:it|them|me|us|him|her|the|a|an|my|our|your|all|every|any|each|no|everything|anything|up|out|off|back|down|away|over|twice)\b/;

const madeOnce =
  /^(?:(?:write|set up|create|build|add|implement|prepare|install|configure|find|show|fix|check|ask|see(?! to it)|look|look up|find out|explain|tell (?:me|us|him|her|them))\b(?!.*\b(?:always|every time)\b)[^.]*?) (?:that|which|whether|who|where|how|why) .*/;

/** An order to make or find out one thing, without what is told of that thing: "Write a hook that runs on every save". */
export const withoutItsObject = (clause: string): string => clause.replace(madeOnce, '$1');

/** "You must", "X has to": a duty, and no guess about what is. */
export const obliges = oneOf([
  /^you (?:must|have to|need to|are to|are required to|are expected to|shall|ought to|should (?:always|only|also|first|never|use|write|keep|ask|reply|respond|answer|wait|check|refer|call|address|treat|assume|prefer|include|stick|work|follow|be))\b(?! (?:be (?:kidding|joking|mistaken|wrong|tired|busy|able)|have|understand|know|admit|see|agree|help me|give me|fix this|cancel|refund)\b)/,
  /^(?!(?:i|it|there|that|this|he|she|they|we|what|which|who|someone|something|somebody|my current|this function|the function|the method|the output|the result|the class)\b)[^.?,]{2,70}? (?:must|has to|have to|needs? to|shall|should|is to|are to) (?:always |only |all |each |also |still |at all times |continue to )*(?:be (?!(?:\d|(?:a|an|the|in|on|at|some|something|because|due|wrong|broken|able|possible|one|there|here|moved|duplicated|fixed|refunded|waived|cancel\w*|eligible|enough|fine|ready|available|around|about)\b))\w+|use|pass|build|keep|stay|remain|go (?:to|through|via|in)|contain|include|follow|match|come (?:from|with)|run on|end|begin|mention|read|conform|comply|fit|hold|carry|state|refer|cite|live|reference|target|support|happen|sound|look|speak|wait|work)\b/,
  /^(?:every|each|all|any) [^.?,]{2,50}? (?:must|has to|have to|needs? to|shall) (?!(?:have|be (?:a|an|the|in|on|at|because|due)|know|wait)\b)\w/,
  /^(?:i|we) (?:must|need to|have to|want to|expect to) be (?:asked|consulted|notified|informed|told|cc'd|copied|called|addressed)\b/,
  /^[^.?,]{2,60}? (?:is|are) (?:mandatory|required|compulsory|obligatory|a must|non-negotiable)\b(?! (?:for|to) (?:me|my|the trip|this))/,
  /^(?:all|every|each) (?!(?:i|of them|the time)\b)[^.?,]{2,60}? (?:go(?:es)?|gets?|comes?|stays?|ends?|starts?|begins?|needs?|carries|carry|is|are) (?:through|via|to|in|as|with|by|on|under|an?|reviewed|signed|logged|written|tested|encrypted|approved|named|prefixed|cc'd|copied)\b/,
  /^(?!(?:i|it|that|this|there|he|she|they)\b)[^.?,]{2,60}? (?:stays?|remains?) (?:as (?:it|they) (?:is|are)|as[- ]is|the same|unchanged|untouched|private|secret|in (?:english|german|place)|on|off|under|below|within|out of)\b/,
]);
