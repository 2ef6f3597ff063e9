import type { Schemas } from '@spillway/client';
import { count, usd } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import classes from './money.module.css';

/** What was saved and spent for the threads of each model. */
export function MoneyByModel({ models }: { models: Schemas['SavedMoney']['models'] }) {
  if (models.length === 0) return null;
  const money = (amount: number | null) =>
    amount === null ? <span className="dim">not known</span> : usd(amount);
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Money by model">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Model of the threads</th>
            <th className={table.right}>Tokens saved</th>
            <th className={table.right}>Saved</th>
            <th className={table.right}>Summaries</th>
            <th className={table.right}>Net</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.model}>
              <td className="mono">{model.model === '' ? 'no model' : model.model}</td>
              <td className={`num ${table.right}`}>{count(model.tokens_not_sent)}</td>
              <td className={`num ${table.right}`}>{money(model.saved_usd)}</td>
              <td className={`num ${table.right}`}>{money(model.spent_usd)}</td>
              <td className={`num ${table.right}`}>{money(model.net_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
