/** A page of the site. */
export interface Page {
  /** Its address without the base and without an extension; a folder's page ends with a slash. */
  path: string;
  /** What the navigation shows. */
  title: string;
  /** The file of the repository that it is made from, or null for a page that the build writes. */
  source: string | null;
  /** Markdown, as the repository or the generator has it. */
  text: string;
}

/** A part of the navigation. */
export interface Section {
  title: string;
  /** One line about it, for llms.txt. */
  summary: string;
  pages: Page[];
}
