/** Reports JSON that does not parse. */
export function jsonComplaints(text: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`is no JSON: ${(error as Error).message}`];
  }
}
