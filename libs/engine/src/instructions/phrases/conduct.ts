import { oneOf } from './one-of.js';

/**
 * Orders about how to speak, write, judge and behave. They name no thing to be made or found, so they hold for all that
 * comes: "try not to use semicolons", "work on copies", "speak up if I am wrong". The verb says so, with an object of a
 * kind ("our clients", "product names") and not one thing ("the last row", "this file").
 */

/** Verbs of how to work and speak. With things of a kind they say how to treat all of them. */
const treats =
  /^(?:use|avoid|prefer|favou?r|keep|respect|cite|quote|address|call|refer to|greet|treat|assume|trust|follow|mention|spell|write|work (?:on|with|from|in|through)|stick to|limit yourself to|think in|speak in|answer in|explain|translate|abbreviate|capitali[sz]e|anonymi[sz]e|question|verify|escalate|decline|refuse|handle|distinguish|separate|mark|label|flag|round|hide|mask|redact|support|target|end|begin|open|close) (?=\w)/;
/** Things of a kind: a plural without an article or a number. */
const ofKind =
  /^(?:(?:our|your|my|their|other|such) )?(?!(?:the|this|that|these|those|a|an|one|two|three|four|five|six|both|some|another|us|his|its|as|is|yes|always|less|unless|towards?|business|class|address|access|process)\b)(?:(?!(?:the|this|that|these|those|to|for|of|in|on|from)\b)[a-z][\w'-]* ){0,2}?(?!(?:us|is|as|this|his|its|was|yes|less|pass|class|business|address|access|process|success|express|always|perhaps|times)\b)[a-z][\w-]*(?<!s)s\b(?! (?:of|in|from|for|to) (?:the|this|that|these|those)\b)(?!.*\b(?:the (?:first|second|last|next|following|attached|same)|these|those|today|tomorrow|tonight|yesterday|\d{2,})\b)/;

/** "Address our clients by their last names". */
export function treatsAKind(clause: string): boolean {
  const verb = treats.exec(clause);
  return verb !== null && ofKind.test(clause.slice(verb[0].length));
}

export const conduct = oneOf([
  /^try (?:hard |your best |always )?(?:not )?to (?:be|use|keep|avoid|stay|sound|write|speak|answer|say|stick|limit|think|give|make|explain|ask|guess|repeat|interrupt)\b(?! (?:it|this|that|these|those|the (?:other|second|first|last|next|same))\b)/,
  // Stand up to the user, and own up.
  /^(?:speak up|say so|push back|correct me|contradict me|challenge me|stop me|call me out|be honest|own up|tell me (?:straight|honestly|openly|off)|disagree)\b(?! (?:about|with) (?:this|that|the)\b)/,
  /^(?:tell|warn|remind|alert|ask|notify|ping|inform|correct|stop|interrupt|nudge) (?:me|us) (?:if|when|whenever|before|as soon as|once) (?:i|i'm|i've|we|we're|you|you're|you've|something|anything|anyone|someone|any|a|an)\b(?! (?:can|could|need|have) (?:any|more|to (?:do|pay|send|be)))/,
  /^(?:speak|talk|write|answer|reply|respond|explain|phrase (?:it|things|everything)|sound|act|behave|think|argue|review|judge|read|grade)(?: to (?:me|us|them|people|customers))? (?:like|as(?: if| though)?|in the style of|in the voice of|in the manner of|only|briefly|plainly|slowly|freely|formally|strictly|honestly)\b(?! (?:soon|possible|well|before|follows|the one|this|that)\b)/,
  /^(?:answer|say|do|write|give|tell me|show|report|return|output|send|explain|quote|include|mention) (?:only|nothing but|just|no more than|exactly) (?!(?:the (?:first|second|last|next)|one|two|three|\d)\b)\w/,
  /^(?:leave|hand|keep) (?:the )?\w+ing (?:decisions? |calls? |part )?(?:to|with|for) (?:me|us|\w+)\b/,
  // Rather than X, do Y.
  /^(?:rather than|instead of|before) [^,]{2,60}, (?!(?:i|we|it|the|this|that|he|she|they|you|there|my|our|a|an)\b)[a-z]+ \w/,
  /^(?:measure|ask|think|look|check|read|test|plan|listen|verify|back up|search|confirm) (?:twice|first|before (?:you|\w+ing)|and (?:only )?then)\b/,
  // What the assistant is here for.
  /^(?:your|the assistant's) (?:job|role|part|place)(?: here| in this| today)? (?:is|will be)(?: only| just| not| never)* to\b/,
  /^(?:you're|you are|you will be|be|act as|play|pretend to be|imagine you(?:'re| are)|consider yourself) (?:my|our|an?|the) (?:[\w-]+ ){0,3}(?:accountant|assistant|editor|tutor|coach|teacher|examiner|reviewer|lawyer|secretary|interviewer|translator|guide|partner|mentor|doctor|analyst|engineer|developer|critic|devil's advocate|sparring partner|concierge|agent|bot|co-?pilot|proofreader|dungeon master|narrator|character)\b/,
  // It would help if you numbered your points.
  /^(?:it(?:'d| would|'ll| will)?(?: really| also)? (?:helps?|be (?:nice|great|good|lovely|best|better|helpful|useful|appreciated|easier))(?: me| us)?(?: a lot| greatly)?|i(?:'d| would)(?: really)? (?:appreciate it|be grateful|love it|like it|be happy|be glad)),? (?:if|when) you(?:'d| would| could)?(?: please| all| also)? (?:always|never|only|didn't|don't|not|avoid\w*|stop\w*|use[sd]?|kept|keep|wrote|write|spoke|speak|answer(?:ed)?|replied|reply|number(?:ed)?|explain(?:ed)?|cite[ds]?|quote[ds]?|stuck|stick|summari[sz]ed?|began|begin|start(?:ed)?|end(?:ed)?|ask(?:ed)?|call(?:ed)?|wait(?:ed)?)\b(?! (?:the|this|that|him|her|them|it|my (?:bank|wife|husband|boss))\b)/,
]);

/** A fact about the person, and what follows for the assistant: "I'm a doctor, so you need not simplify". */
export const factsAndFollow = oneOf([
  /^(?:i|i'm|i've|we|we're|my|our) [^.?]{2,80}(?:, so|; so|, therefore|, hence) (?:please )?(?:you (?:don't|do not|needn't|needn't|can always|can skip|can leave|should|must|never|always)|there(?:'s| is) no need|no need|spare|skip|mind|describe|spell|explain|never|always|no \w+s?\b|avoid)\b/,
  /^my pronouns? (?:are|is)\b|^i (?:identify|go|use) (?:as|by|they|she|he)\b/,
]);
