import type { Store } from './store.js';

export interface ProjectSettings {
  projectId: string;
  settingsVersion: number;
  /** PolicyInput as JSON. */
  policy: string;
  /** Context windows by model name. */
  overrides: Record<string, number>;
}

export async function readSettings(
  { prisma }: Store,
  projectId: string,
): Promise<ProjectSettings | undefined> {
  const [project, overrides] = await Promise.all([
    prisma.project.findFirst({ where: { id: projectId } }),
    prisma.modelOverride.findMany({ where: { projectId } }),
  ]);
  if (!project) return undefined;
  return {
    projectId,
    settingsVersion: project.settingsVersion,
    policy: project.policy,
    overrides: Object.fromEntries(overrides.map((row) => [row.name, row.contextWindow])),
  };
}

export const listProjectIds = async ({ prisma }: Store): Promise<string[]> =>
  (await prisma.project.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map(
    (project) => project.id,
  );

/** Both changes move settings_version, which is how every process learns that its cached policies are stale. */
export async function changeProjectPolicy(
  { prisma }: Store,
  projectId: string,
  policy: string,
): Promise<void> {
  await prisma.project.update({
    where: { id: projectId },
    data: { policy, settingsVersion: { increment: 1 } },
  });
}

export async function overrideModel(
  { prisma }: Store,
  projectId: string,
  name: string,
  contextWindow: number,
): Promise<void> {
  await prisma.$transaction([
    prisma.modelOverride.upsert({
      where: { projectId_name: { projectId, name } },
      create: { projectId, name, contextWindow },
      update: { contextWindow },
    }),
    prisma.project.update({ where: { id: projectId }, data: { settingsVersion: { increment: 1 } } }),
  ]);
}
