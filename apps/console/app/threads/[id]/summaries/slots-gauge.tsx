import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import { ShareBar, Swatch, type Tone } from './share-bar';
import { slotRows } from './slot-rows';
import classes from './slots.module.css';

const tones = { instructions: 'good', facts: 'carried', narrative: 'summary' } as const satisfies Record<
  string,
  Tone
>;

/** How a summary's room is divided, and what is left of it. */
export function SlotsGauge({ slots }: { slots: Schemas['SummarySlots'] }) {
  const rows = slotRows(slots);
  return (
    <section className={classes.panel} aria-label="Room of the summary">
      <h3>Room of the summary</h3>
      <ShareBar
        parts={[
          ...rows.map(({ name, used }) => ({ name, size: used, tone: tones[name] })),
          { name: 'free', size: slots.free, tone: 'free' },
        ]}
      />
      <dl className={classes.rows}>
        {rows.map(({ name, title, used, of, about }) => (
          <div key={name} title={about}>
            <dt>
              <Swatch tone={tones[name]} />
              {title}
            </dt>
            <dd className="num">{of}</dd>
            <dd className="num">{count(used)}</dd>
          </div>
        ))}
        <div title="What facts and narrative leave together">
          <dt>
            <Swatch tone="free" />
            Free
          </dt>
          <dd className="num">of {count(slots.max_tokens)}</dd>
          <dd className="num">{count(slots.free)}</dd>
        </div>
      </dl>
      <p className={classes.about}>
        In tokens. A long story must not push out the numbers, nor the other way round, so each has a slot.
        What one leaves goes to the other. The user’s standing instructions stand before both, beside this
        limit.
      </p>
    </section>
  );
}
