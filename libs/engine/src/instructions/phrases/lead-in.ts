import { oneOf } from './one-of.js';

/** Words in front of a clause that say nothing of what it asks. Each ends where the clause, or the next of them, begins. */
const leadIns = oneOf([
  // A label: Rule 1, PS, FYI.
  /^(?:rule|point|item|note|no\.|step) ?#?\d{1,2}[:.)]? +|^(?:ps|p\.s\.|fyi|nb|btw|heads[- ]up|psa|tip|reminder)[:,.]? +|^(?:#\d{1,2}|\d{1,2}[.)]) +/,
  /^(?:one|another|the one) thing (?:that|which|i) [^:]{1,90}: */,
  /^(?:why don't (?:you|we)|how about you)(?: just| please| simply)? +/,
  /^(?:be (?:so )?(?:kind|good|nice) (?:enough )?(?:as )?to|do me a favou?r and|by all means,?(?= (?:please|always|never)\b)) +/,
  /^(?:pl[ea]{1,3}se|pls|plz|kindly|also|and|but|so|then|just|simply|again|generally|now|therefore|still|instead|though|or)\b[,:]? */,
  /^(?:oh|ok|okay|right|well|hey|hi(?: there)?|hello|dear \w+|great|perfect|good|fine|cool|nice|yes|yeah|sure|alright|actually|look|listen|seriously|honestly|frankly|sorry|you know|btw|fyi|ps|p\.s\.|nb|remember|reminder|note|important|importantly|heads[- ]up|no|welcome|thanks(?: a lot| so much| again)?|thank you(?: very much| so much)?|agreed|understood|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|finally|lastly|last|above all|in general|overall|to be clear|let me be clear|let's be clear|for the record|for context|for reference|quick note|side note|by the way|just so you know|so you know|while i remember|before i forget|one more time|as always|as usual|as before|as i said|as we said|as agreed|as mentioned|as discussed|if possible|whatever you do|no matter what|whatever happens)(?:[,:;!.]+| -| (?=please\b)) */,
  /^(?:one|two|three|a few|some|an?other|a couple of|the|my|our)(?: (?:more|last|other|quick|final|small|only|first|second|main|most important|general|house|ground|standing|hard|firm|strict|basic))* (?:thing|note|rule|request|ask|point|constraint|condition|preference|favou?r|word|reminder|requirement)s?(?: (?:before|for|about|from|to|on) [^,:;]{1,60})?(?:[:,;]| -| here:| is:?(?: that)?| i have:| i insist on:) */,
  /^as a (?:general )?(?:rule|matter of (?:principle|policy))(?: of thumb)?,? */,
  /^for (?:compliance|security|legal|safety|privacy|audit|personal|religious|medical|health) reasons,? */,
  /^(?:from (?:now|here|today|this point|that point|tomorrow)(?: on(?:wards?)?| forward| out)?|(?:going|moving) forward|henceforth|starting (?:now|today|tomorrow)|effective immediately|for now|for future reference|in (?:the )?future|by default|at all times|until further notice),? */,
  /^(?:(?:for|during|throughout|over) (?:the (?:rest|remainder|duration|whole) of [^,]{1,50}|(?:this|the)(?: (?:whole|entire))? [^,]{1,30}|(?:all|every|each|any) [^,]{1,40}|anything [^,]{1,50})|in (?:this|the|all|every|each|any|your) [^,]{1,50}|(?:while|as long as|until|unless|since|because|given that|now that|although|though|even if|regardless of|due to|to (?:avoid|save|keep|prevent|make|protect|be safe)) [^,]{1,100}), */,
  /^(?:my|our|the) (?:boss|manager|team|lawyers?|company|client|lead|legal(?: team| department)?|security team|compliance(?: team| officer)?|policy|wife|husband|partner|doctor|accountant|auditors?|customers?)(?: \w+)? (?:says?|insists?|requires?|wants|asked|demands?|told (?:me|us)|made it clear|is (?:clear|strict)|was clear)(?: (?:on this|about this))?(?: that)?:? (?=(?:you|we|no|never|always|all|every|don't|do not)\b)/,
  /^i(?:'d| would)? (?:need|have|want|like) to (?:ask|stress|be clear|point out|mention|add|remind you|make (?:one thing|it|something) clear|emphasi[sz]e)(?: that)?:? */,
  /^i (?:insist|ask|repeat|must insist|stress|beg you|mean it|said)(?: that)?[,:]? */,
  /^(?:it(?:'s| is|'d be| would be) (?:very |really |super |absolutely |also )?(?:important|crucial|essential|vital|critical|imperative|mandatory|obligatory|required|necessary|key|great|good|best|better|helpful|nice)(?: to me| for me)?|it matters(?: a lot)?(?: to me)?|what matters(?: most)?(?: to me)? is)(?: that| to| if you(?: could| would| can)?)? */,
  /^(?:if you (?:could|would|can|don't mind)|would you|could you|can you|you'd better|better|let's|we should|we need to make sure(?: that)?|i trust(?: that)?|i expect that)(?:,| please)? (?=\w)/,
]);

const maxLeadIns = 8;

/** The clause without the words that lead into it. */
export function withoutLeadIn(clause: string): string {
  let rest = clause.trim();
  for (let i = 0; i < maxLeadIns; i++) {
    const leadIn = leadIns.exec(rest);
    if (!leadIn) return rest;
    rest = rest.slice(leadIn[0].length).trimStart();
  }
  return rest;
}
