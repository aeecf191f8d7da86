/**
 * What the admin interface may load: its own files, the pictures of products, and previews of the shop. Its style elements carry the nonce of the
 * page. Nothing is inline, nothing comes from elsewhere, and nobody may frame it.
 */
export function policyWith(nonce: string) {
  return {
    scripts: ["'self'"],
    styles: ["'self'", `'nonce-${nonce}'`],
    images: ["'self'", 'data:'],
    fonts: ["'self'"],
    media: ["'self'"],
    connections: ["'self'"],
    frames: ["'self'"],
    formActions: ["'self'"],
    frameAncestors: [],
  }
}

/**
 * What a mail may do that the admin interface shows in a frame: mails have their styles inline, and show pictures of this service.
 * Nothing runs, nothing is sent, and nobody else may frame it.
 */
export const MAIL_POLICY = {
  scripts: [],
  styles: ["'unsafe-inline'"],
  images: ["'self'"],
  formActions: [],
  frameAncestors: ["'self'"],
}
