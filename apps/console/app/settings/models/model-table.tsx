import type { Schemas } from '@spillway/client';
import { count, usd } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import classes from '../settings.module.css';
import { OverrideModel } from './override-model';
import { RemoveOverride } from './remove-override';

/** Whether the project has an override of a model. */
export const isOverridden = ({
  source,
  input_price,
  output_price,
  cached_input_price,
}: Schemas['Model']): boolean =>
  source === 'override' || [input_price, output_price, cached_input_price].some((price) => price !== null);

const Price = ({ usdPerMillion }: { usdPerMillion: number | null }) => (
  <td className={`num ${table.right}`}>
    {usdPerMillion === null ? <span className="dim">not set</span> : usd(usdPerMillion)}
  </td>
);

/** Windows as numbers of one width, so that a long list can be scanned. */
export function ModelTable({ models, mayChange }: { models: Schemas['Model'][]; mayChange: boolean }) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Models">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Model</th>
            <th className={table.right}>Context window</th>
            <th>Window from</th>
            <th className={table.right}>Input</th>
            <th className={table.right}>Cached input</th>
            <th className={table.right}>Output</th>
            {mayChange && <th aria-label="Actions" />}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.name}>
              <td className="mono">{model.name}</td>
              <td className={`num ${table.right}`}>{count(model.context_window)}</td>
              <td>
                <span className={classes.chip} data-tone={model.source === 'override' ? 'accent' : undefined}>
                  {model.source}
                </span>
              </td>
              <Price usdPerMillion={model.input_price} />
              <Price usdPerMillion={model.cached_input_price} />
              <Price usdPerMillion={model.output_price} />
              {mayChange && (
                <td className={`${table.right} ${table.action}`}>
                  <span className={classes.chips} style={{ justifyContent: 'flex-end' }}>
                    <OverrideModel of={model} />
                    {isOverridden(model) && <RemoveOverride of={model} />}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
