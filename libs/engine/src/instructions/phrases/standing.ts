import { oneOf } from './one-of.js';

/** The time to come, as a whole or up to an event. */
const timeToCome = oneOf([
  /\bfrom (?:now|here|today|tomorrow|this (?:point|moment|message))(?: on(?:wards?)?| forward| out)?\b|\bfrom (?:\w+day|next \w+|the \w+ \w+|then|\w+ \d{1,2}(?:st|nd|rd|th)?) on(?:wards?)?\b/,
  /\b(?:going|moving) forward\b|\bhence(?:forth|forward)\b|\bhereafter\b|\bin (?:the )?future\b|\beffective immediately\b|\bstarting (?:now|today|tomorrow)\b/,
  /\bfor (?:the )?(?:rest|remainder|duration) of\b|\buntil (?:further notice|told|otherwise|i (?:say|tell|ask|confirm|change|get|am|come)|i'm|we|you hear)\b/,
  /\b(?:unless|except when|except if) (?:i|we|you(?:'re)?|told|asked|otherwise|explicitly|instructed|it's|there's)\b/,
]);

/** It holds for more than this once. */
export const standing = oneOf([
  timeToCome,
  /\bby default\b|\bas a (?:general )?rule\b|\bat all times\b|\bpermanently\b|\bwithout (?:exception|fail)\b|\bno matter what\b|\bunder (?:no|any) circumstances\b/,
  /\bevery ?time\b|\beach time\b|\bwhenever\b|\bany ?time\b/,
  /\b(?:in|for|to|of|on|with|at|after|before) (?:all|every|each)(?: (?:one|single))?(?: of)?(?: (?:your|my|our|the))? \w+/,
  /\bin your (?:answers|replies|responses|messages|summaries|reports|emails|explanations|reviews|commits|code|output|drafts|notes)\b/,
  /\b(?:always|never)\b/,
  /\b(?:for|during|throughout|in) (?:this|the|our) (?:whole |entire |current )?(?:session|conversation|thread|chat|project|engagement)\b/,
  /\bas long as (?:we|i|you)(?:'re| are|'m| am)\b|\bwhile (?:we|you|i)(?:'re| are|'m| am) (?:working|on|in|at|away|travel\w*|out)\b/,
  /\bwithout (?:asking|my|checking|first|explicit|permission|approval|telling|confirming|consulting|being asked|running it)\b|\bbehind my back\b|\b(?:on|in) my (?:behalf|name)\b/,
]);

/** What can only be a rule for the time to come. */
export const fromNowOn = oneOf([
  timeToCome,
  /^new (?:rule|limit|budget|policy)\b/,
  /^(?:while|as long as) (?:i|we)(?:'m|'re| am| are) [^,]{1,60},/,
  /^(?:in|at the end of|at the top of|for|on|with|after) (?:every|each|all|any) [^,]{1,50}, (?!(?:i|it|that|there|he|she|they|we|the)\b)/,
  /^until [^,]{1,60}, (?!(?:i|it|that|there|he|she|they|we)\b)/,
]);
