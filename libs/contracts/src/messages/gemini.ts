import { z } from 'zod';
import { whole } from '../quantities.js';
import { askedModel, wholeNumber } from '../text.js';
import { metadata, tools } from './proxied.js';

const part = z
  .looseObject({
    text: z.string().optional().describe('A text.'),
    thought: z.boolean().optional().describe('The text is what the model thought.'),
    thoughtSignature: z.string().optional().describe('As the model gave it; sent back unchanged.'),
    functionCall: z
      .looseObject({
        id: z.string().min(1).max(500).optional().describe('As the model gave it.'),
        name: z.string().min(1).describe('The function.'),
        args: z.looseObject({}).optional().describe('Its arguments.'),
      })
      .optional()
      .describe('A call of a function.'),
    functionResponse: z
      .looseObject({
        id: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe('Of the call. Without one, the content with the call has to be in the request.'),
        name: z.string().min(1).describe('The function.'),
        response: z.looseObject({}).optional().describe('What it returned.'),
        parts: z
          .array(z.looseObject({}))
          .max(1_000)
          .optional()
          .describe('Images and files that it returned.'),
      })
      .optional()
      .describe('The result of a call.'),
    inlineData: z
      .looseObject({
        data: z.string().describe('In base64.'),
        mimeType: z.string().optional().describe('Its type.'),
      })
      .optional()
      .describe('An image or a file.'),
    fileData: z
      .looseObject({
        fileUri: z.string().describe('Its address.'),
        mimeType: z.string().optional().describe('Its type.'),
      })
      .optional()
      .describe('A link to an image or a file.'),
  })
  .describe('One of these, or another part as Google takes it.');

const parts = z.array(part).max(10_000);

/** Google takes names with underscores too: they are changed before this is checked. */
export const geminiRequest = z
  .looseObject({
    contents: z
      .array(
        z.looseObject({
          role: z
            .enum(['user', 'model', 'function'])
            .optional()
            .describe('`user` when it is left out, and for `function`, as older programs have it.'),
          parts: parts.optional().describe('What was said, called, returned or shown.'),
        }),
      )
      .min(1)
      .max(50_000)
      .describe('The conversation, its end, or only what is new.'),
    systemInstruction: z
      .union([z.string(), z.looseObject({ parts: parts.optional().describe('Its texts.') })])
      .nullish()
      .describe('As Google takes it. It belongs to the request and is not recorded.'),
    tools,
    metadata,
  })
  .meta({ id: 'GeminiRequest' });

export type GeminiRequest = z.infer<typeof geminiRequest>;

/** A question for a count of tokens, which is the provider's. */
export const geminiCount = z
  .looseObject({ metadata })
  .meta({ id: 'GeminiCount', description: 'As Google takes it; sent on unchanged.' });

/** An error of Google, or of Spillway in its form. */
export const geminiError = z
  .looseObject({
    error: z
      .looseObject({
        code: whole.describe('The HTTP status again.'),
        message: z.string().describe('What is wrong with this request.'),
        status: z.string().describe('The kind of error, as Google names it.'),
        details: z
          .array(z.looseObject({}))
          .optional()
          .describe(
            'Of an error of Spillway: `reason` is its stable code, and `fieldViolations` are the parts of the request ' +
              'that its contract refuses.',
          ),
      })
      .describe('The error.'),
  })
  .meta({ id: 'GeminiError', description: 'An error of Google, or of Spillway in the form of Google.' });

export const modelOfUrl = z.object({ model: askedModel.describe('The model to call, as Google names it.') });

export const asEvents = z.strictObject({
  alt: z
    .literal('sse', 'must be sse: answers are streamed as events')
    .describe('The SDKs send it. A stream as a JSON list is not served.'),
});

export const geminiModel = z
  .object({
    name: z.string().describe('The name, behind `models/`.'),
    baseModelId: z.string().describe('The name alone.'),
    displayName: z.string().describe('The name again.'),
    inputTokenLimit: whole.describe('Tokens that the model accepts.'),
    supportedGenerationMethods: z.array(z.string()).describe('What the proxy does with it.'),
  })
  .meta({ id: 'GeminiModel', description: 'A model, as clients of Google read it.' });

export const geminiModelList = z
  .object({
    models: z.array(geminiModel).describe('This page.'),
    nextPageToken: z
      .string()
      .optional()
      .describe('Sent as `pageToken`, returns the next page. Missing on the last one.'),
  })
  .meta({ id: 'GeminiModelList' });

export const geminiPage = z.strictObject({
  pageSize: wholeNumber(1, 1000).optional().describe('Models of a page at most. Left out: all.'),
  pageToken: z
    .string()
    .max(512)
    .optional()
    .describe('`nextPageToken` of the page before. Left out: the first page.'),
});
