/**
 * Gives the memory of bytes back at once. Otherwise the garbage collector has to look through everything before it learns that a
 * megabyte was free all along, which costs more than to encrypt the megabyte. Nothing may use the bytes any more.
 */
export function giveBack(bytes: Buffer): void {
  const { buffer, byteLength } = bytes
  // Small buffers share their memory with others.
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
