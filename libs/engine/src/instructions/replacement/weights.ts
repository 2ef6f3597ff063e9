// Made by `npm run cues` from libs/engine/instruction-samples: see tools/src/cues.

/** What a pair scores without any cue. */
export const bias = -0.45;

/** A weight, and the cues that have it: above 0 they say that the newer instruction replaces the older, below 0 that both hold. */
export const weightsByCue = `
1.6 close:new:no-more loose:new:fine
1.4 verb:within
1.2 close:new:now loose:new:only new:now topic:same
1.1 loose:verb:other of-old:4
1.0 close:signs:0-1 of-new:4
0.9 close:new:fine
0.8 clock:differ loose:verb:within of-new:3 rest-old:1
0.7 choices-named:1 new:fine new:no-more
0.6 alike:3 choice:32 close:new:that close:verb:within rest-new:1 rest-old:0 words-old:0
0.5 apart:any-differ:true close:name:new loose:new:no-more loose:signs:00 verb:near
0.4 choice:5 choices-opposed:1 close:any-differ:true close:choices-named:0 close:clock:differ close:code:old close:new:instead close:values-differ:1 close:values-same:0 close:verb:other loose:choices-opposed:1 measure:differ near:2 of-old:3 rest-new:0 shared:3 verb:other
0.3 alike:1 apart:new:all apart:signs:-10 apart:values-new:0 close:choices-opposed:0 close:name:differ close:new:forget close:new:only close:place:new close:values-old:0 close:verb:near loose:measure:other-unit loose:new:that loose:signs:0-1 new:only things:3
0.2 apart:choices-named:1 apart:new:changed apart:values-old:0 choice:22 choice:33 choices-opposed:2 choices-same:1 clock:new close:choices-same:1 close:new:more close:number:new close:number:old close:place:old close:signs:-11 close:signs:1-1 close:values-new:2 loose:any-differ:true loose:name:new loose:signs:-11 loose:verb:near new:more rest-new:5 things:2
0.1 apart:choices-same:1 apart:measure:new apart:new:more apart:place:old apart:quoted:differ apart:signs:01 apart:values-differ:1 both:fine both:no-more choice:1 choice:11 choice:3 choice:39 choice:42 choice:50 choice:51 choice:65 choice:71 close:choices-same:0 close:new:if close:new:why close:number:differ close:place:differ close:signs:-10 close:signs:01 close:values-new:0 close:values-old:2 loose:choices-named:1 loose:choices-same:0 loose:money:old loose:name:same loose:new:changed loose:new:forget loose:new:instead loose:new:now loose:number:differ loose:number:old loose:number:same loose:values-differ:0 loose:values-new:1 measure:other-unit money:differ name:new name:same new:changed new:instead new:that old:all place:differ place:old rest-new:4 shared:1 shared:2 signs:-11 signs:0-1 signs:00 signs:01 words-new:0 words-new:2
-0.1 apart:code:same apart:new:instead apart:place:new apart:quoted:new apart:quoted:old apart:signs:-11 apart:values-new:1 apart:values-same:0 apart:values-same:1 both:all both:changed both:forget both:if choice:30 choice:4 choice:8 choices-named:0 choices-opposed:0 close:choices-opposed:1 close:choices-same:2 close:code:new close:code:same close:measure:same close:money:differ close:quoted:differ close:values-differ:2 code:differ code:old code:same loose:choices-same:1 loose:choices-same:2 loose:code:same loose:measure:old loose:name:differ loose:name:old loose:new:again loose:new:if loose:number:new loose:place:new loose:quoted:differ loose:values-differ:1 loose:values-new:2 loose:values-same:0 measure:same money:new name:differ near:0 new:again new:all new:also of-new:2 of-old:2 old:also old:more quoted:new rest-old:2 rest-old:3 signs:-10 words-new:1 words-old:1 words-old:4 words-old:5
-0.2 alike:0 alike:2 apart:new:again apart:new:if apart:number:differ apart:signs:10 close:any-differ:false close:measure:old close:measure:other-unit close:name:old close:new:also close:signs:-1-1 close:values-old:1 close:values-same:1 code:new loose:any-differ:false loose:choices-named:0 loose:code:old loose:signs:-10 measure:new measure:old name:old number:new old:instead quoted:old shared:4
-0.3 alike:thing apart:code:new apart:signs:-1-1 apart:signs:0-1 apart:verb:same choices-same:2 close:measure:differ close:measure:new loose:new:all new:if of-new:1 old:again rest-new:2 rest-new:3 shared:0 words-old:3
-0.4 apart:choices-same:0 apart:number:old choice:0 close:signs:00 loose:choices-opposed:0 old:forget things:0 topic:apart
-0.5 apart:choices-opposed:0 apart:code:differ apart:code:old apart:name:new apart:values-differ:0 signs:10
-0.6 apart:choices-named:0 apart:values-old:2 close:verb:same
-0.7 close:new:all loose:signs:-1-1 of-new:0 of-old:0 words-old:2
-0.8 apart:new:that apart:number:new apart:values-new:2
-0.9 apart:name:differ loose:verb:same old:that rest-old:4 verb:same
-1.1 signs:-1-1
-1.2 apart:any-differ:false
`;
