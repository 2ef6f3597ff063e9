import { NumberInput } from '@mantine/core';

/** Text that a person typed; empty for no budget. */
export type TypedBudget = number | string;

export const budgetOf = (typed: TypedBudget): number | null => (typed === '' ? null : Number(typed));

interface Props {
  value: TypedBudget;
  onChange: (value: TypedBudget) => void;
  error: string | undefined;
}

/** The tokens that model calls may take with a key in a day. */
export const BudgetField = ({ value, onChange, error }: Props) => (
  <NumberInput
    label="Model tokens a day"
    description="Once model calls with this key took as many on a day (UTC), further ones are refused. Empty: any number."
    value={value}
    onChange={onChange}
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator=","
    clampBehavior="none"
    hideControls
    error={error}
    errorProps={{ role: 'alert' }}
  />
);
