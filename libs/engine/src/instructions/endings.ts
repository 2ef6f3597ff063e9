/** Words of a person that end what was asked before, and ask nothing new: a task is done, a rule is lifted. */
const endings: readonly RegExp[] = [
  /\b(?:forget|ignore|disregard|drop|scrap|scratch|never ?mind|cancel|lift|revoke|withdraw|take back) (?:what i (?:said|told you|asked)|(?:my|the|that|this|all my|that earlier|my earlier|the earlier|the old|my previous) (?:\w+ )?(?:rule|instruction|request|constraint|limit|restriction|ban|freeze|preference|requirement|condition|thing|bit|part)s?)\b/i,
  /\b(?:the|that|this|my|our) (?:[\w-]+ ){0,3}?(?:rule|restriction|ban|freeze|constraint|limit|embargo|requirement|instruction|hold)s? (?:is|are|was|were|has been|have been|no longer) ?(?:now |been )?(?:over|lifted|off|gone|dropped|obsolete|void|done|expired|moot|applies|apply|in force|needed|necessary)\b/i,
  /\b(?:no longer (?:applies|apply|needed|necessary|relevant|in force|valid)|doesn't apply any ?more|does not apply any ?more|don't apply any ?more|need not apply)\b/i,
];

/** A task that is over, with the words for it. */
const finished: readonly RegExp[] = [
  /\b(?:the|that|this|our|my) (?:[\w'/-]+ ){0,4}?(?:[\w'/-]+) (?:is|are|was|were|has been|have been|'s|has|have) (?:now |all |finally |already |successfully |fully )*(?:done|finished|complete[d]?|over|closed|merged|shipped|released|live|out|sent|delivered|published|behind us|signed|wrapped up|settled|resolved|gone out|gone live|landed|ended)\b/i,
  /\b(?:we(?:'re| are)|i(?:'m| am)) (?:now |all |finally )*(?:done|finished|through) with (?:the|that|this|our|my) \w+/i,
  /\bthat (?:was|is|'s) (?:it|all) (?:for|on|with) (?:the|that|this|our|my) \w+/i,
  /\b(?:wraps up|concludes|closes|completes) (?:the|that|this|our|my) \w+/i,
];

/** Does this sentence end something that was asked before? */
export const isEnding = (sentence: string): boolean =>
  !/\?["')]*$/.test(sentence) && [...endings, ...finished].some((pattern) => pattern.test(sentence));
