import { oneOf } from './one-of.js';

/** Thanks, greetings, and phrases in the form of commands that command nothing. */
export const courtesies = oneOf([
  // Who can, and who cannot: tells of access.
  /^only (?:the )?(?:[\w-]+ ){1,3}(?:can (?:see|access|open|log)|could|shows?|has|have|works?|is|are|was|were|knows?)\b/,
  /^[^,.]{2,40} (?:can't|cannot|can not) (?:log in|sign in|connect|load|open|access|find)\b/,
  /^(?:don't|do not|never) (?:worry|mention it|mind|get me wrong|be (?:sorry|shy|afraid|silly)|hesitate(?! to \w)|hesitate to (?:ask|contact|reach|call|write|get|let|message|tell|say)\b|sweat|panic|stress|rush|bother[.!]*$|feel (?:bad|rushed)|take (?:it|this) (?:personally|the wrong way)|give up|have (?:it|them|that|any|one)|know|need (?:it|that|any|one|help)|think (?:so|i|it|that|we)|remember|recall|see (?:it|why|that|any|how)|understand|care|want (?:it|that|to|any)|you (?:think|have|want|see|know|agree|need))\b/,
  /^no (?:problem|worries|thanks|thank|rush|hurry|idea|doubt|way|wonder|offen[sc]e|luck|matter|clue|one (?:knows|told|answered|has|is)|more questions|further questions|biggie|kidding|big deal|issues?[.!]*$|need[.!]*$|reason)\b/,
  /^(?:thank|thanks|feel free to (?:ask|reach|contact|let|correct)|let me know\b(?!.* (?:before|every|each))|go ahead(?! and \w)|take (?:care|your time)|stop it[.!]*$|no[.!,]*$|never said)\b/,
  /^(?:keep|stay) (?:going|it up|up the|calm|tuned|safe|well|in touch|at it|digging|working on it)\b|^keep (?:getting|seeing|having|forgetting|running into)\b/,
  /^(?:you )?(?:never|always) (?:disappoint|fail|help|surprise|impress|amaze|make|save|cheer) (?:me|us|to)\b|\balways a (?:pleasure|joy|delight|treat)\b|^always (?:good|nice|great|happy|glad|lovely|fun) (?:to|when|seeing)\b/,
  /^(?:no need|you don't need|you don't have|there's no need) to (?:apologi[sz]e|worry|rush|hurry|thank|explain yourself|be sorry|panic)\b/,
  /^(?:always|never) (?:a pleasure|been|had|thought|seen|heard|knew|understood|liked|worked|got|saw|happened)\b/,
]);

/** Clauses that tell what is, was or might be, or what somebody else says. */
export const reports = oneOf([
  /^(?:for|during|throughout|in|since|after|until) [^,.]{1,50} (?:i|we|he|she|they|it|there) (?:had|was|were|got|did|saw|went|have been|could|couldn't|lost|slept|kept)\b/,
  /^(?:un)?fortunately\b|^(?:apparently|usually|sometimes|maybe|perhaps|hopefully|probably|normally)\b/,
  /^(?:i|we)(?:'ve|'m|'ll|'re)? (?:(?:also|just|still|really|already|actually|usually|often) )*(?:have|had|am|was|were|are|will|make sure|can't|cannot|could|couldn't|did|didn't|might|got|get|hear|heard|read|saw|see|thought|think|guess|assume|would assume|believe|understand|appreciate|hope|wish|wonder|know|knew|noticed|remember|forgot|apologi[sz]e|suspect|tried|used|keep|said|told|asked|fixed|found|do|did|don't (?:have|know|remember|recall|see|think|understand|mind|care|really|believe|get)|never (?:got|had|received|saw|heard|said|asked|wanted|used|knew|made|found|worked)|always (?:had|have|thought|get|got|wanted|forget|been))\b(?! (?:(?:not|never) )?(?:to )?(?:want|like|prefer|expect|need) you)(?! allergic| (?:only |strictly )?(?:vegan|vegetarian))/,
  /^(?:you|he|she|they|it|that|this|there)(?:'ve|'re|'s|'d)? (?:must(?:'ve| have| be (?:a|an|the|some|in|on|at|because|due|something))|might|was|were|did|didn't|said|told|asked|mentioned|seems?|looks?|already|just|keeps?|kept|is|isn't|has|hasn't|had|are the|will (?:see|find|notice)|never (?:told|said|asked|gave|did|sent|answered|mentioned|worked|works|happened|happens|shows?|returns?|finish\w*)|always (?:fails?|works?|crash(?:es)?|happens?|says?|returns?|shows?|gives?|gets?|been|does|did)|only|don't (?:seem|have|know|understand|look|work)|doesn't|do not (?:seem|have|know|understand)|should have|could have|would)\b/,
  /^(?:my|the|our|this|that|his|her|their|a|an|some) (?!only\b)[^,.]{1,60}? (?:(?:has|have|had|was|were|did|didn't|doesn't|don't|isn't|wasn't|fails?|failed|works?|worked|says?|said|claims?|states?|shows?|told|crash\w*|seems?|looks?|keeps?|kept|used to|always (?:fails?|works?|crash\w*|says?|shows?|returns?|gives?|gets?|takes?)|never (?:finish\w*|work\w*|load\w*|arriv\w*|c[ao]me|show\w*|end\w*|return\w*|start\w*|happen\w*|respond\w*|answer\w*|reach\w*))\b|(?:should|must|could) have been\b|should (?:already|be (?:around|about|in|under|on|available|possible|here|there|enough|fine|ok|okay|able)|have)\b)/,
  /^(?:to|which|who|that|what|where|why|how|if only|as if|than|like|of|until|since|because|unless) \w/,
  /^(?:i|we) (?:always|never|usually|only) \w+[^,;]*\b(?:but (?:this|last|now|today)|this time|last (?:time|year|week)|yesterday|so far|before)\b/,
]);

/** Sentences that repeat what others demand, or speak of the past, whatever their clauses say. */
export const hearsay = oneOf([
  /\b(?:docs?|documentation|readme|manual|article|tutorial|blog|post|guide|website|page|error|warning|log|linter|compiler|faq|book|video|label|sign|colleague|friend|brother|sister|neighbou?r|somebody|someone|he|she|they|agent|representative|previous \w+|other \w+|support)(?: \w+)? (?:says?|said|states?|claims?|told (?:me|us)|tells?|recommends?|recommended|suggests?|suggested|warns?|warned|advised?|insisted|mentioned|explained|wrote)\b/,
  /\b(?:i|we) (?:was|were|got|have been|had been) (?:told|asked|advised|taught|warned|instructed|promised|informed)\b/,
  /\b(?:i|we) (?:wonder|heard|read|thought|assumed|understand|learned|noticed|saw|remember) (?:that|why|how|if|whether|you|it|the|about|in)\b/,
  // What somebody else says or said, and what nobody says.
  /^(?:well |but |and |so )?(?!(?:i|you|my (?:boss|manager|wife|husband|partner|doctor|client|lawyer)|our|legal|the (?:boss|manager|client|company|team))\b)(?:(?:the|a|an|my|his|her|their|one of (?:my|the)) )?(?:[\w'.-]+ ){1,4}?(?:says|said|told (?:me|us|him|her|them|everyone|people)|wrote|insisted|recommended|recommends|claims|claimed|thinks|thought|believes|suggested|warned|demanded|complained|argued) (?!so\b|goodbye)\w/,
  /^(?:i'm|i am|we're|we are|nobody is|nobody's|no one is|it's|it is)(?: really)? not (?:saying|asking|suggesting|telling|implying|demanding|insisting)\b|^(?:nobody|no one)(?: is|'s)? (?:says?|said|saying|asks?|asked|asking|told|expects?|suggest\w*)\b|^i (?:don't|do not|didn't|never) (?:mean|say|said|ask|asked|suggest|claim)\b|^(?:that|this|it) (?:doesn't|does not|didn't) mean\b/,
  /^[^,.]{2,60}, (?:i|we) (?:found out|learned|noticed|heard|was told|were told|gather|hear|guess|suppose|think|see)\b/,
  /\b(?:do not|don't|please do not) reply to this (?:e-?mail|message)\b|\bthis (?:e-?mail|mailbox|message|inbox) (?:is (?:not monitored|automat\w+|confidential)|was sent)\b/,
  // It is not so, it was so in a former place, it is so of a thing.
  /,? but (?:it|they|that|this|he|she) (?:isn't|aren't|doesn't|don't|didn't|won't|wasn't|never|can't|fails?)\b|\b(?:at|in|for) (?:my|our|the) (?:last|old|previous|former) (?:job|company|team|place|project|employer|school|flat|house)\b/,
  /\bfrom (?:now|here)(?: on)? the [\w-]+ (?!(?:is|goes|stays|gets|has|needs|uses|means)\b)[\w-]+s\b|\bfrom here on (?:the|it|everything) (?:\w+ )?(?:is|was)\b/,
  // The sign reads: X.
  /^(?!(?:my|our|the) (?:boss|manager|team|lawyer|client|lead|company|wife|husband|partner|policy)\b)(?:the|a|an|my|our|his|her|their|[\w]+'s) [^:]{1,60}?\b(?:said|says|reads?|wrote|writes|notes?|sign|label|sticker|poster|footer|banner|letter|e-?mail|memo|motto|runbook)\b[^:]{0,40}: /,
  // Words spoken of, and not said.
  /^(?:going forward|hands off|no means no|from now on|until further notice|always|never|as a rule) (?:was|is|sounds|means|were|has been) /,
  /\b(?:used to|back then|in the past(?! tense)|last (?:week|month|year|time|night)(?!'s)|yesterday|years ago|months ago|so far)\b/,
]);

/** One thing that the order is about: what is asked is done when that is done. */
export const theOne = oneOf([
  /\bhere\b(?! on\b)|\bthis (?!repo|project|session|chat|conversation|thread|team|company|way|codebase|folder|channel|kind|sort|point|moment)[\w-]+ \w+/,
  /\bthe (?:first|second|third|fourth|last|next) [\w-]+(?: [\w-]+)?, not\b/,
  /\b(?:in|from|of) (?:column|row|line|cell|section|chapter|sheet|figure|table|slide|page) \w+/,
  /\b(?:for|in|of|behind|on|to) (?:that|this|the) (?:one|first|second|third|fourth|last|latest|next|attached|following|above|previous|new|current) \w+/,
]);

/** What the writer does, or wants done once: "I'll check my mail", "I want to change my booking". */
export const ownPlans = oneOf([
  /^(?:i|we)(?: (?:also|just|actually|really|only|still|definitely|simply))*(?:'m| am| are|'re|'ll| will)(?: (?:also|just|actually|really|only|still|definitely|simply))* (?!not (?:ok|okay|comfortable|happy|fine|allergic)|allergic|only|vegan|vegetarian|fine|okay?|happy)[a-z]/,
  /^(?:i|we)(?: (?:also|just|actually|really|only|still|definitely))*(?:'d| would)?(?: (?:also|just|actually|really|only|still|definitely))* (?:want|like|need|love|have|hope|wish|plan|try) (?:to (?:make|change|book|cancel|modify|upgrade|downgrade|buy|order|return|exchange|get|fly|go|add|remove|move|know|check|find|proceed|start|switch|update|rebook|pay|use|file|open|talk|speak|request|apply|add)|a|an|one|my|the)\b/,
  /^(?:can|could|would|will) you (?:please |also |just |kindly |possibly )*(?:double-?check|check|see|tell me|look (?:up|into|at|for)|help me|find|offer|confirm|provide|let me know)\b/,
  /^(?:i|we)(?:'m| am| are|'re) (?:willing|ready|prepared|able|open|trying|hoping|looking|cancell?ing)\b/,
  /^(?:\w+,? )?(?:let me (?:take|think|check|look|see|know|try|consider)|(?:i|we) (?:just |really )?(?:won't|can (?:check|look|try|wait|see|find))|it(?:'s|'ll be| is| will be) (?:just|going to be)|i don't (?:remember|recall|know|have))\b/,
]);

/**
 * What the writer does next, what both look at now, why something was asked for, and praise: true or done once, and
 * nothing to follow, however much its words weigh: `ownPlans` are one cue of many, this decides. Of the labelled instructions one matches.
 */
export const oneStep = oneOf([
  /^(?:(?:and|so|but|well|ok(?:ay)?|alright|sure|hmm|yes|no|actually),? )*let me (?:just |quickly )?(?:take (?:some|a|my)|get back|think|consider|check|look|find|grab|ask (?:my|him|her|them)|talk to|try)\b(?!.*\b(?:before|first|until|every|each|always|whenever)\b)/,
  /^(?:(?:and|so|but|well|ok(?:ay)?|alright|sure|yes|no|actually|great),? )*let(?:'s| us) (?:just )?(?:look into|see (?:if|what|whether)|check|find out|take a look|go ahead|proceed|move on|get started|do (?:that|this|it)\b)(?!.*\b(?:before|always|every|each|whenever|from now|only|never|not)\b)/,
  /^(?:i'm|i am|we're|we are|i need to|i want to|i have to) (?:cancel|return|rebook|exchange|refund)\w*\b.*\b(?:because|due to|since|as)\b/,
  /^(?:as for |so )?(?:the|my) reason\b.{0,60}(?:\bis\b|\bwas\b|'ve\b|'m\b|:)/,
  /^(?:wow,? )?(?:you're|you are|this is|that's|that is) the \w+ .*\bever\b/,
]);
