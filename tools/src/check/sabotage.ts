import { repository } from '../repository.js';
import { guards } from '../sabotage/guards.js';
import { complaintOf } from '../sabotage/places.js';

/** The cheap part of `npm run sabotage`: what each guard is made of is found, and the test that watches it exists. */
export async function checkSabotage(): Promise<string[]> {
  const complaints = await Promise.all(guards.map((guard) => complaintOf(repository, guard)));
  console.log(`     ${guards.length} guards`);
  return complaints.filter((complaint) => complaint !== null);
}
