// What the package offers. A bundler leaves out what an app does not use.
export { type Access, type Client, type ClientOptions, createClient } from './client.ts'
export {
  AuthorizationRequiredError,
  ChangedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsufficientScopeError,
  LicetError,
  MalformedRequestError,
  NotFoundError,
  PasswordDiffersError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
export {
  type JsonWebKeySet,
  type LicenseFile,
  type LicenseFileDecision,
  type LicenseFileOptions,
  type LicenseFileRefusal,
  type OfflineAction,
  verifyLicenseFile,
} from './license-files.ts'
export type { Listing } from './listing.ts'
export { createLoginToken, type LoginClaims } from './login-token.ts'
export {
  type App,
  authorizeUrl,
  exchangeCode,
  type PendingAuthorization,
  type TokenStorage,
  type Tokens,
} from './oauth.ts'
export type { CallOptions, Schemas } from './operations.ts'
export {
  type DataChange,
  type Topic,
  verifyDataChange,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.ts'
