import { IconRobot, IconSettings, IconTool, IconUser, type Icon } from '@tabler/icons-react';
import { ShownText } from '@/ui/text/shown-text';
import classes from './role-chip.module.css';

const icons: Record<string, Icon> = {
  system: IconSettings,
  developer: IconSettings,
  user: IconUser,
  assistant: IconRobot,
  tool: IconTool,
};

interface Props {
  role: string;
  /** The name of one of several people or agents, where the message has one. */
  participant?: string | undefined;
}

export function RoleChip({ role, participant }: Props) {
  const Shape = icons[role] ?? IconSettings;
  return (
    <span className={classes.role} data-role={role}>
      <Shape size={13} stroke={2} aria-hidden />
      {role}
      {participant !== undefined && (
        <span className={classes.participant}>
          <ShownText text={participant} />
        </span>
      )}
    </span>
  );
}
