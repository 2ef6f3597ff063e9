import { oneOf } from './one-of.js';

/** "I'd like you to", "I need you to", "I'd appreciate it if you". What follows is what is asked. */
export const wanted =
  /^(?:i|we)(?:'d| would)?(?: (?:really|strongly|also|just|actually|always|only|still|very much))? (?:(?:want|need|like|love|expect|prefer|ask|require|trust|urge|instruct|tell) (?:that )?you(?: all)?(?: (?=(?:to|not|never|always|only|keep|use|stick|avoid|don't)\b))|(?:appreciate|like|love) it (?:a lot |very much )?if you (?:could |would |can )?|prefer if you (?:could |would |can )?|be (?:grateful|happy|glad|happier) if you (?:could |would )?|rather you (?=(?:always|only|just)\b)(?:always |only )?)/;

/** A taste that holds for what comes, or a fact about the person that every step has to respect. */
export const prefers = oneOf([
  // One over the other.
  /^(?:i|we)(?:'d| would) (?:much |always |far )*(?:rather|sooner) [^.]{2,80} than\b/,
  /^(?:i|we) (?:(?:much|always|really|do|still) )*(?:value|like|prefer|favou?r|want|rate|love|trust|choose|pick) [^.]{2,60} (?:over|better than|more than|rather than|instead of|above) \w/,
  /^(?:i|we)(?:'d| would)(?: much| really| strongly)? (?:prefer|like|love) it if (?:you|your|the|all|every)\b/,
  /^(?:i'm|i am|we're|we are) (?:a (?:big |great |huge )?fan of|not a (?:big |great |huge )?fan of|fond of|partial to|into)\b|^(?:i|we) like to \w+ (?:in|on|at|by|with)\b/,
  /^(?:i'm|we're|we are|i am|this is|it's) an? [\w.+-]+ (?:shop|house|team|person|household)\b/,
  /^(?:take|pick|choose|use|go (?:with|for|to)|buy|read|look|do it) [^.]{1,60} (?:over|rather than|instead of|before (?:you|any)|where (?:there is|you can|possible)|if it can|whenever)\b/,
  // A habit of the person, and what follows from it.
  /^i (?:don't|never|only|always) \w+ [^.]{1,60}, so (?:please )?(?!(?:i|it|that|this|we|he|she|they|there|the|my|far|what|how|why)\b)\w|^i \w+ (?:in the (?:morning|afternoon|evening|night)s?|at night|on \w+days|on weekends?), so (?:please )?(?!(?:i|it|that|we|the|my)\b)\w/,
  // Things of a kind to choose from.
  /^(?:choose|pick|select|use|recommend|suggest|favou?r|prefer) (?!(?:the|this|that|these|those|a|an|one|me|two|three)\b)[\w-]+(?: [\w-]+)?s (?:that|which|who|with|without|from)\b/,
  /^(?:i|we)(?: (?:always|generally|usually|strongly|really|much|vastly|greatly|still|now))? prefer (?!(?:to (?:be (?!contacted|called|addressed|asked|reached|told|emailed|written)|pay|keep|cancel|book|change|use the|go with)|the (?:first|second|third|cheap|other|one)|not to|that one|this one|a (?:flight|refund|full)|flights)\b)\w/,
  /^(?:i|we)(?:'d| would)(?: (?:always|generally|usually|strongly|really|much))? (?:rather|prefer)(?: that)? (?:you|we|if you|your|all|every|answers|replies|short|small|plain|no|to be (?:called|addressed))\b/,
  /^(?:i|we)(?: (?:always|only|really|generally|usually|want|'d like))? (?:like|love|want|need|expect|hate|dislike|can't stand|don't like|do not like) (?:my (?!\w+ (?:cancel|refund|chang|upgrad|back|money))|your|every (?!detail)|short|concise|brief|plain|small|long|detailed|simple|clear|direct|honest|blunt|everything in|answers|replies|responses|explanations|commits|emojis?|all (?:amounts|prices|answers|dates|replies|code|numbers|output|commits|messages|texts?|files|names)|the tests run|to (?:get|see|read|have|hear) [^.]*\b(?:always|every|each|in (?:english|euros|german|metric)|only))/,
  /^my (?:\w+ )?preferences? (?:is|are|would be)\b|^preferred \w+(?: \w+)?(?: is|:)/,
  /^(?:(?:that|and) )?(?:i|we) (?:only|exclusively|never(?= (?:eat|drink|accept|take|use|buy)\b)) (?:fly|eat|drink|accept|take|use|work|read|sit|stay|travel|meet|buy|write|speak|deploy|ship|support|target|run|wear|shop|book|do)\b(?!.*\b(?:this time|once)\b)/,
  /^(?:\w+ is(?= (?:vegan|vegetarian|allergic|coeliac|celiac|lactose|diabetic)\b.*, so\b)|i'm|i am|we're|we are|my (?:son|daughter|wife|husband|partner|kid|child|mother|father) is) (?:\w+ly )?(?:\w+ )?(?:vegan|vegetarian|allergic|lactose|celiac|coeliac|gluten|colou?r-?blind|deaf|blind|dyslexic|kosher|halal|diabetic|hard of hearing|pregnant|intolerant)\b/,
  /^(?:keep|bear) in mind|^(?:remember|note|don't forget|do not forget)(?: that|:)? (?:i|i'm|we|we're|my|our|the (?:customer|client|user|team|audience))\b(?!.*\b(?:file|yesterday|last)\b)/,
  /^(?:favou?r|default to|lean towards?|err on the side of|go easy on|prefer|prioriti[sz]e|opt for|stick (?:to|with)|give (?:preference|priority) to)\b/,
]);
