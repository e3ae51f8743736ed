/**
 * The one rule for a byte order mark: text from outside may begin with one, which is not part of it. A second one, or
 * one anywhere else, is a character like any other.
 */

/** For text that comes in pieces: `decode(piece, { stream: true })`, and `decode()` at the end. */
export const utf8Decoder = () => new TextDecoder("utf-8")

/** The text of bytes that are all there. */
export const utf8Text = (bytes: Uint8Array) => utf8Decoder().decode(bytes)
