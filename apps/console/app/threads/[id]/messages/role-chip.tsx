import { IconRobot, IconSettings, IconTool, IconUser, type Icon } from '@tabler/icons-react';
import classes from './role-chip.module.css';

const icons: Record<string, Icon> = {
  system: IconSettings,
  developer: IconSettings,
  user: IconUser,
  assistant: IconRobot,
  tool: IconTool,
};

export function RoleChip({ role }: { role: string }) {
  const Shape = icons[role] ?? IconSettings;
  return (
    <span className={classes.role} data-role={role}>
      <Shape size={13} stroke={2} aria-hidden />
      {role}
    </span>
  );
}
