import { oneOf } from './phrases/one-of.js';
import { isQuestion } from './plain.js';

/** Words of a person that end what was asked before, and ask nothing new: a task is done, a rule is lifted. */
const endings = oneOf([
  /\b(?:forget|ignore|disregard|drop|scrap|scratch|never ?mind|cancel|lift|revoke|withdraw|take back) (?:what i (?:said|told you|asked)|(?:my|the|that|this|all my|that earlier|my earlier|the earlier|the old|my previous) (?:\w+ )?(?:rule|instruction|request|constraint|limit|restriction|ban|freeze|preference|requirement|condition|thing|bit|part)s?)\b/i,
  /\b(?:the|that|this|my|our) (?:[\w-]+ ){0,3}?(?:rule|restriction|ban|freeze|constraint|limit|embargo|requirement|instruction|hold)s? (?:is|are|was|were|has been|have been|no longer) ?(?:now |been )?(?:over|lifted|off|gone|dropped|obsolete|void|done|expired|moot|applies|apply|in force|needed|necessary)\b/i,
  /\b(?:no longer (?:applies|apply|needed|necessary|relevant|in force|valid)|doesn't apply any ?more|does not apply any ?more|don't apply any ?more|need not apply)\b/i,
]);

/** A task that is over, with the words for it. */
const finished = oneOf([
  /\b(?:the|that|this|our|my) (?:[\w'/-]+ ){0,4}?(?:[\w'/-]+) (?:is|are|was|were|has been|have been|'s|has|have) (?:now |all |finally |already |successfully |fully )*(?:done|finished|complete[d]?|over|closed|merged|shipped|released|live|out|sent|delivered|published|behind us|signed|wrapped up|settled|resolved|gone out|gone live|landed|ended)\b(?! (?:until|till|during|while|between)\b)/i,
  /\b(?:we(?:'re| are)|i(?:'m| am)) (?:now |all |finally )*(?:done|finished|through) with (?:the|that|this|our|my) \w+/i,
  /\bthat (?:was|is|'s) (?:it|all) (?:for|on|with) (?:the|that|this|our|my) \w+/i,
  /\b(?:wraps up|concludes|closes|completes) (?:the|that|this|our|my) \w+/i,
]);

/** The writer is back. */
const back =
  /^(?:and |so |ok,? |hi,? |well,? )*(?:i'm|i am|we're|we are) (?:back|home|done|finished|through)\b/i;

/** An event came or passed, somebody left or is back. It ends only instructions that were bound to that. */
const passed = oneOf([
  /\b(?:went|came|gone|got) (?:through|well|fine|live|out|in|smoothly|great|back|down|off|home|by)\b|\b(?:is|are|was|were|'s|'re|has been|have been) (?:now |all |finally |already )*(?:done|over|finished|complete[d]?|closed|merged|shipped|released|fixed|solved|replaced|installed|activated|restored|live|lifted|passed|settled|lovely|great|a success|wonderful|(?:gone|in|out|up|back|ready)(?= ?(?:[,.!;]|$)))/i,
  /\b(?:passed|finished|ended|arrived|left|landed|launched|shipped|merged|delivered|signed off|wrapped up|moved in|completed|closed|returned|fixed|resolved|settled|handed in|submitted|replaced|works again|came to an end)\b/i,
  back,
]);
/** They say that it is not over. */
const goesOn = /\b(?:not|n't|but|never|still|almost|nearly|soon|when|if|until|once|will|hopefully|should)\b/i;

/** How long an instruction holds: the words for the task, event or stay that it is bound to. */
const scope =
  /\b(?:until|till|while|during|as long as|for the (?:duration|rest) of|throughout|whilst|pending) ([^,.;:]{2,80})/i;
export const scopeOf = (text: string): string | null => scope.exec(text.replace(/[’‘]/g, "'"))?.[1] ?? null;

/** The writer is away, or in a place for some time. */
export const isStay = (scopeWords: string): boolean =>
  /^(?:i'm|i am|we're|we are|i get|i'm not|my) (?:away|travell?ing|in|on|at|out|off|abroad|back|stay|trip|vacation|holiday)\b/i.test(
    scopeWords,
  );
export const isReturn = (text: string): boolean => back.test(text.replace(/[’‘]/g, "'").trim());

/** Does it lift a rule, or say that a task is done? Such words need no scope to end what they name. */
export const isPlainEnding = (text: string): boolean => endings.test(text) || finished.test(text);

const isPast = (text: string): boolean => text.length <= 200 && !goesOn.test(text) && passed.test(text);

/** Does this sentence end something that was asked before? */
export const isEnding = (sentence: string): boolean =>
  !isQuestion(sentence) && (isPlainEnding(sentence) || isPast(sentence));
