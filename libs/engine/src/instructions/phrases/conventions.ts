import { oneOf } from './one-of.js';

/** How things are done here, told of things of a kind: bare plurals, and what replaces them. */
export const conventions = oneOf([
  // X belongs in Y, X goes into Y, X over 150 go through me.
  /^(?!(?:i|it|that|this|there|he|she|they|we|you|the|my|our|what|which|who|these|those|some|most|many|a|an|things|sales|prices|people|guests|kids|students|trains|flights)\b)[^.?,]{2,60}? (?:belongs?|go(?:es)?|sits?|lives?|comes?) (?:in|into|on|under|to|through|via|next to|beside|before|after|at|by|first|last|with) (?!(?:and|but|down|up|out|away|off|well|great|on)\b)\S/,
  // X is the ceiling for Y.
  /^(?:\S+ ){1,4}(?:is|are) (?:the|my|our) (?:absolute |hard |upper )?(?:ceiling|limit|max(?:imum)?|cap|most|upper bound)\b/,
  // X is to be shown as Y.
  /^(?!(?:i|it|that|this|there|he|she|they|we)\b)[^.?,]{2,50}? (?:is|are) (?:shown|written|spelled|named|marked|given|stored|logged|kept|sorted|quoted|signed|handled|treated|done) [^.?]{1,60}\b(?:,? (?:and )?(?:not|never)\b|always\b)/,
  // I expect X with every Y.
  /^(?:i|we) (?:expect|want|require|need) [^.]{2,60} (?:for|on|with|in|after|before|to|from) (?:each|every|any)\b/,
  /^(?:every|each) (?!(?:time|day|year|week)\b)[\w-]+(?: [\w-]+)? (?:carries|contains|starts|begins|ends|comes with|needs|deserves) \w/,
  // Changes need a version bump every time. Anything from them you leave unread.
  /^(?!(?:i|it|he|she|they|you|we|the|my|this|that|our)\b)[^.?,]{2,50}? (?:needs?|gets?|takes?|requires?) [^.?,]{2,50} (?:every time|each time|always|without exception)\b/,
  /^(?:anything|everything|nothing|all \w+)(?: [\w'-]+){0,4} you (?!(?:have|see|did|said|sent|need|want|get|know|are|can)\b)\w+ \w/,
  // Simple beats clever.
  /^(?:[\w-]+ ){1,3}(?:beats?|trumps?|comes? before|wins? over|matters? more than) (?!(?:me|us|him|her|it|the|a)\b)[\w-]+(?: [\w-]+)?[.!]*$/,
  // What I want from you is X.
  /^what (?:i|we) (?:want|need|expect|ask|care about)(?: most)?(?: (?:from|of) you)? is \w/,
  // We do not X here, so do not.
  /^(?:i|we) (?:don't|do not|never) [^.?,]{2,60}\b(?:here|in this (?:house|team|company|repo|project|office|codebase)|around here)\b/,
  // You write as X.
  /^(?:you(?:'ll| will)? be|you're|you are) (?:writing|speaking|acting|answering|posting|posing|replying|working) (?:as|for|on behalf of)\b|^stay in character\b/,
  // Leave X to me.
  /^(?:you \w+ [^.?,]{0,40} and )?leave [^.?,]{1,50} (?:to|for|with) (?:me|us|him|her|them)\b/,
  // In this repo, tests sit next to the code.
  /^in (?:this|our|my) (?:repo(?:sitory)?|project|codebase|team|company|house|office|book|series|blog|lab)\b,? (?!(?:i|it|there|the|that|we (?:have|had|got|saw|were))\b)[^.?,]{2,50}? (?:sit|live|go|belong|come|stay|use|carry|follow|start|end|get|keep|run|are (?:named|written|kept|sorted))\b/,
]);

/** A scope at the start, which makes a rule of the order that follows. */
export const scopeFirst =
  /^(?:(?:for|in|on|with|before|after) (?:all|every|each|any)(?: (?:of )?(?:my|your|our|the))? [\w-]+|by default|as a (?:general )?rule|in general|generally|on principle|as standard|as of (?:today|now|this week|tomorrow)|during (?:the|this|our|my) [\w-]+(?: (?!only\b)[\w-]+)?|throughout(?: (?:this|our|the) [\w-]+)?|for (?:this|the|our) (?:whole |entire |rest of the )?(?:project|session|conversation|chat|thread|repo|book|engagement|trip|series)|in (?:this|our) (?:project|session|conversation|chat|thread|repo|codebase))(?:,| (?=\w)) ?(?=\w)/;
