/** What the server of a webhook received. */
declare const body: string;
declare const headers: Record<string, string>;
declare const secret: string;
