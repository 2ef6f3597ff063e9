// Made by `npm run cues` from libs/engine/instruction-samples: see tools/src/cues.

/** What a pair scores without any cue. */
export const bias = -0.44;

/** A weight, and the cues that have it: above 0 they say that the newer instruction replaces the older, below 0 that both hold. */
export const weightsByCue = `
1.7 close:new:no-more
1.5 loose:new:fine
1.3 verb:within
1.2 new:now topic:same
1.1 close:new:now loose:new:only loose:verb:other of-old:4
1.0 of-new:4
0.9 close:new:fine close:signs:0-1 loose:verb:within
0.8 clock:differ of-new:3 rest-old:1
0.7 apart:measure:differ choices-named:1 new:fine
0.6 alike:3 choice:32 close:new:that close:verb:within new:no-more rest-new:1 words-old:0
0.5 apart:any-differ:true choices-opposed:1 close:name:new close:values-differ:1 loose:new:no-more loose:signs:00 rest-old:0 verb:near
0.4 close:any-differ:true close:choices-named:0 close:clock:differ close:new:forget close:new:instead close:new:only close:values-same:0 close:verb:other loose:choices-opposed:1 loose:measure:other-unit loose:signs:-11 near:2 of-old:3 rest-new:0 shared:3 verb:other
0.3 apart:new:all apart:new:changed apart:signs:-10 apart:values-new:0 choice:5 clock:new close:choices-opposed:0 close:code:old close:name:differ close:place:new close:values-old:0 close:verb:near loose:new:that loose:signs:0-1 measure:differ new:only
0.2 alike:1 apart:quoted:differ both:fine choice:22 choices-same:1 close:choices-same:1 close:new:more close:number:new close:number:old close:signs:-11 close:signs:1-1 close:values-new:2 loose:any-differ:true loose:choices-opposed:2 loose:name:new loose:verb:near name:same rest-new:5 signs:-11 things:2 things:3
0.1 apart:choices-named:1 apart:choices-same:1 apart:clock:new apart:measure:new apart:new:more apart:place:old apart:signs:00 apart:signs:01 apart:values-differ:1 apart:values-old:0 apart:verb:other both:no-more choice:1 choice:11 choice:33 choice:34 choice:51 choice:65 choice:71 choices-opposed:2 close:choices-same:0 close:new:why close:number:differ close:place:differ close:place:old close:signs:-10 close:signs:01 close:values-old:2 loose:choices-named:1 loose:choices-same:0 loose:money:old loose:name:same loose:new:changed loose:new:forget loose:new:instead loose:new:now loose:number:differ loose:number:old loose:number:same loose:values-differ:0 loose:values-new:1 measure:other-unit money:differ name:new new:changed new:forget new:instead new:more new:that number:same old:all place:differ rest-new:4 shared:1 shared:2 signs:0-1 signs:00 signs:01 things:1 words-new:0 words-new:2
-0.1 apart:code:same apart:name:old apart:new:instead apart:new:no-more apart:new:only apart:place:new apart:quoted:new apart:quoted:old apart:signs:-11 apart:signs:1-1 apart:values-new:1 apart:values-same:0 apart:values-same:1 both:all both:changed both:if choice:30 choice:4 choice:8 choices-named:0 choices-opposed:0 close:choices-opposed:1 close:choices-same:2 close:code:differ close:code:same close:measure:same close:money:differ close:new:changed close:quoted:differ close:values-differ:2 code:old code:same loose:choices-same:1 loose:choices-same:2 loose:code:new loose:code:same loose:measure:new loose:measure:old loose:name:old loose:new:again loose:new:if loose:place:new loose:quoted:differ loose:signs:10 loose:values-differ:1 loose:values-new:2 loose:values-same:0 measure:same name:differ near:0 near:1 new:again new:also of-new:2 of-old:1 of-old:2 old:also old:instead old:more quoted:new quoted:old rest-old:2 rest-old:3 signs:-10 words-new:1 words-old:1 words-old:4
-0.2 alike:0 alike:2 alike:thing apart:new:again apart:new:if apart:number:differ apart:signs:-1-1 apart:signs:10 close:any-differ:false close:measure:differ close:measure:old close:measure:other-unit close:name:old close:new:also close:signs:-1-1 close:values-old:1 close:values-same:1 code:differ code:new loose:any-differ:false loose:choices-named:0 loose:code:old loose:name:differ loose:new:all loose:signs:-10 measure:new name:old new:if number:new shared:4
-0.3 apart:code:new apart:verb:same choices-same:2 close:measure:new measure:old of-new:1 old:forget rest-new:2 rest-new:3 shared:0 words-old:3
-0.4 apart:choices-same:0 apart:number:old apart:signs:0-1 choice:0 close:signs:00 loose:choices-opposed:0 old:again things:0 topic:apart
-0.5 apart:choices-opposed:0 apart:code:old apart:name:new apart:values-differ:0
-0.6 apart:choices-named:0 apart:code:differ apart:values-old:2 signs:10
-0.7 apart:values-new:2 close:verb:same loose:signs:-1-1 of-new:0 of-old:0
-0.8 apart:name:differ apart:new:that apart:number:new close:new:all rest-old:4 words-old:2
-0.9 loose:verb:same old:that verb:same
-1.0 signs:-1-1
-1.2 apart:any-differ:false
`;
