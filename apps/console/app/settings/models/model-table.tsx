import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import table from '@/ui/table.module.css';
import classes from '../settings.module.css';
import { OverrideModel } from './override-model';
import { RemoveOverride } from './remove-override';

/** Windows as numbers of one width, so that a long list can be scanned. */
export function ModelTable({ models, mayChange }: { models: Schemas['Model'][]; mayChange: boolean }) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Models">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Model</th>
            <th className={table.right}>Context window</th>
            <th>Known from</th>
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
              {mayChange && (
                <td className={table.right}>
                  <span className={classes.chips} style={{ justifyContent: 'flex-end' }}>
                    <OverrideModel of={model} />
                    {model.source === 'override' && <RemoveOverride of={model} />}
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
