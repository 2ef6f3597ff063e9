/**
 * The columns of an output that an erasure clears: everything derived from its content, hashes and sizes included. An
 * empty sha256 marks an output as erased. Its blob key stays until the sweep has removed the bytes.
 */
export const erasedOutput = `original = NULL, original_bytes = NULL, original_sha256 = NULL, tool = NULL, tool_call_id = NULL,
    sha256 = '', chunk_hashes = NULL, stub_hash = NULL,
    line_index = '{}', bytes = 0, lines = 0, tokens = 0, kind = 'erased', content_type = 'text/plain'`;
