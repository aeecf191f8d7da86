export type Exception = { path: string; inside: string; table: string; because: string }

const OPERATOR = 'the operator sees how much of all companies waits or has failed, without saying whose'
const FILES = 'the operator learns whether the files of all companies are there'
const EXPIRED = 'what has expired is deleted for every company'
const expired = (inside: string, table: string) => ({ inside, table, because: EXPIRED })
const WORKER = 'the worker works for all companies'
const CLOCK = 'the clock of the machine is that of all companies'

/** Statements that are meant to see more than one company, by file. Adding a line here is a security decision. */
const BY_FILE: Record<string, readonly Omit<Exception, 'path'>[]> = {
  'src/apps/webhooks/measures.queries.ts': [{ inside: 'counted', table: 'webhooks', because: OPERATOR }],
  'src/history/events/measures.queries.ts': [{ inside: 'countNew', table: 'events', because: OPERATOR }],
  'src/platform/jobs/measures.ts': [{ inside: 'byKind', table: 'jobs', because: OPERATOR }],
  'src/platform/mail/measures.ts': [
    { inside: 'counted', table: 'jobs', because: OPERATOR },
    { inside: 'counted', table: 'mails', because: OPERATOR },
  ],
  'src/program/command-line/doctor/work.ts': [{ inside: 'checkFailedMails', table: 'mails', because: OPERATOR }],
  'src/program/command-line/doctor/files.ts': [
    { inside: 'contentKeys', table: 'content_blobs', because: FILES },
    { inside: 'pictureKeys', table: 'pictures', because: FILES },
  ],
  'src/program/command-line/doctor/database.ts': [
    { inside: 'isBehind', table: '(computed)', because: 'sequences are those of all companies' },
  ],
  'src/rights/content-files/queries.ts': [
    {
      inside: 'isGivenByCode',
      table: 'redemption_codes',
      because: 'a code of any shop that mirrors a product gives it',
    },
  ],
  'src/rights/stamping/commands.ts': [expired('deleteUnused', 'stamped_files')],
  'src/rights/playbacks/commands.ts': [expired('deleteOldPlaybacks', 'playbacks')],
  'src/shop/checkout/reminders/commands.ts': [expired('deleteOldReminders', 'cart_reminder_addresses')],
  'src/catalog/theme-settings/previews/commands.ts': [expired('deleteOldPreviews', 'theme_previews')],
  'src/catalog/pictures/upload.commands.ts': [expired('deleteUnused', 'pictures')],
  'src/program/imports/commands.ts': [expired('deleteOldImports', 'imports')],
  'src/program/imports/keys.commands.ts': [
    { inside: 'deleteVoidKeys', table: 'import_keys', because: 'what leads nowhere is deleted, for every company' },
  ],
  'src/platform/db/batches.ts': [
    { inside: 'deleteBatch', table: '(computed)', because: 'its callers name the table, and have their exceptions' },
  ],
  'src/platform/identity/sealed-columns.ts': [
    { inside: 'resealColumn', table: '(computed)', because: 'the secret of the installation is that of all companies' },
  ],
  'src/rights/entitlements/uses/queries.ts': [
    { inside: 'hasManyUsageChanges', table: 'usage_changes', because: 'it asks how much work waits, for everybody' },
  ],
  'src/apps/webhooks/sender/claims.commands.ts': [
    { inside: 'selectDueKinds', table: 'webhooks', because: 'the sender asks whether any company has something due' },
  ],
  'src/rights/entitlements/alike.queries.ts': [
    { inside: 'lockAlike', table: '(computed)', because: 'both sides start from entitlementsOf' },
  ],
  'src/selling/taxes/commands.ts': [expired('deleteOldChecks', 'vat_id_checks')],
  'src/people/audience/news-recipients/commands.ts': [expired('deleteUnconfirmed', 'news_recipients')],
  'src/people/audience/newsletter/commands.ts': [
    expired('deleteOldConfirmations', 'former_unsubscribe_tokens'),
    expired('deleteOldConfirmations', 'news_confirmations'),
  ],
  'src/people/audience/newsletter/queries.ts': [
    {
      inside: 'findConfirmation',
      table: 'news_confirmations',
      because: 'the hash of the token is what says whose link it is',
    },
    { inside: 'findLeaving', table: 'news_recipients', because: 'the token of the link is what says whose it is' },
    {
      inside: 'findMerged',
      table: 'former_unsubscribe_tokens',
      because: 'the token of the link is what says whose it is',
    },
  ],
  'src/history/audit/commands.ts': [expired('deleteOldAuditEntries', 'audit_entries')],
  'src/history/audit/queries.ts': [
    { inside: 'listed', table: 'users', because: 'the users of a partner act for its associates' },
    { inside: 'latestAuditEntries', table: 'audit_entries', because: 'the operator may read all records' },
  ],
  'src/shop/checkout/abandoned/queries.ts': [
    { inside: 'listLeftCarts', table: 'carts', because: 'the worker counts what was left, of every company' },
  ],
  'src/program/command-line/doctor.ts': [
    { inside: 'checkContents', table: 'jobs', because: 'the operator asks how the whole installation is doing' },
  ],
  'src/rights/content-files/uploads/queries.ts': [
    { inside: 'listAbandoned', table: 'content_uploads', because: 'what is abandoned goes, of every company' },
    { inside: 'listUnfinished', table: 'content_uploads', because: 'what is complete is finished, of every company' },
  ],
  'src/people/customers/erasures/commands.ts': [
    { inside: 'noteErasures', table: 'erasures', because: 'each row names its company' },
    { inside: 'readErasures', table: 'erasures', because: 'the list is that of the whole installation' },
    { inside: 'countErasures', table: 'erasures', because: 'the worker asks whether the list has grown' },
    { inside: 'findReturned', table: 'customer_relations', because: 'a restore is that of all companies' },
  ],
  'src/people/customers/links/commands.ts': [
    { inside: 'createLink', table: 'customer_links', because: 'a link replaces the one before, whoever asked for it' },
    { inside: 'endLink', table: 'customer_links', because: 'the hash of the token is what says whose link it is' },
    {
      inside: 'endLinks',
      table: 'customer_links',
      because: 'a change of an account ends what all companies asked for',
    },
    expired('deleteOldCustomerLinks', 'customer_links'),
  ],
  'src/people/customers/links/queries.ts': [
    { inside: 'findLink', table: 'customer_links', because: 'the hash of the token is what says whose link it is' },
    { inside: 'workingLink', table: 'customer_links', because: 'the hash of the token is what says whose link it is' },
    { inside: 'countRequests', table: 'customer_links', because: 'all companies together may not flood a customer' },
  ],
  'src/people/customers/login-tokens/commands.ts': [expired('deleteOldLoginTokens', 'used_login_tokens')],
  'src/people/customers/sessions/commands.ts': [
    {
      inside: 'endSessionsOfCustomer',
      table: 'customer_sessions',
      because: 'the account of a customer is one for all companies, and loses all its sessions at once',
    },
    expired('deleteOldCustomerSessions', 'customer_sessions'),
  ],
  'src/people/customers/sign-ups/commands.ts': [expired('deleteOldSignUps', 'customer_sign_ups')],
  'src/people/customers/lists/queries.ts': [
    { inside: 'listed', table: '(computed)', because: 'the relations that it lists have their company_id in them' },
  ],
  'src/people/customers/queries.ts': [
    {
      inside: 'isKnownElsewhere',
      table: 'customer_relations',
      because: 'a password that one company chose must not open the shops of others',
    },
    {
      inside: 'readCompanyNames',
      table: 'customer_relations',
      because: 'the check of a password names the other companies that sold to the customer',
    },
    {
      inside: 'readRelations',
      table: 'customer_relations',
      because: 'a change of an account is seen by every company that knows it',
    },
  ],
  'src/selling/payments/early-events.commands.ts': [expired('deleteOldEarlyEvents', 'early_payment_events')],
  'src/apps/webhooks/commands.ts': [
    { inside: 'readPlaceInLog', table: 'events', because: 'ids are drawn for all companies, and only ids are read' },
  ],
  'src/rights/software-keys/lists.queries.ts': [
    { inside: 'listedStocks', table: '(computed)', because: 'the lists that it shows start from listsOf' },
  ],
  'src/rights/software-keys/queries.ts': [
    { inside: 'findByHash', table: 'software_keys', because: 'the hash of the key is what says whose it is' },
  ],
  'src/apps/webhooks/deliveries/commands.ts': [expired('deleteOldDeliveries', 'deliveries')],
  'src/rights/entitlements/queries.ts': [
    { inside: 'findCompanyOf', table: 'entitlements', because: 'the operator asks for an entitlement of any company' },
  ],
  'src/rights/entitlements/uses/commands.ts': [expired('deleteOldUses', 'entitlement_uses')],
  'src/history/events/dispatch.commands.ts': [
    { inside: 'selectFirst', table: 'events', because: 'the dispatcher asks whether any company has new events' },
    { inside: 'place', table: 'events', because: 'the worker dispatches the events of all companies' },
  ],
  'src/identity/test-clocks/queries.ts': [{ inside: 'readTestClocks', table: 'test_clocks', because: 'all are known' }],
  'src/history/events/queries.ts': [
    { inside: 'listed', table: '(computed)', because: 'the events that it lists have their company_id in them' },
  ],
  'src/selling/orders/counts/fold.commands.ts': [
    { inside: 'foldBatch', table: 'order_changes', because: 'the worker adds up the changes of all companies' },
  ],
  'src/selling/orders/counts/queries.ts': [
    { inside: 'hasManyChanges', table: 'order_changes', because: 'it asks how much work waits, for all companies' },
    { inside: 'findRecount', table: 'order_recounts', because: 'the worker counts for all companies' },
  ],
  'src/selling/orders/fulfillments/queries.ts': [
    {
      inside: 'fulfillmentsShippedBy',
      table: 'fulfillments',
      because: 'a shipping partner sees what it ships for other companies',
    },
    {
      inside: 'counted',
      table: '(computed)',
      because: 'it counts what fulfillmentsOf and fulfillmentsShippedBy have found',
    },
  ],
  'src/selling/ledger/commands.ts': [
    { inside: 'book', table: 'ledger_entries', because: 'each entry names the company whose it is' },
  ],
  'src/catalog/licenses/queries.ts': [
    { inside: 'licensesSeenBy', table: '(computed)', because: 'both halves have their company_id in them' },
    { inside: 'licensesOfMirrors', table: 'licenses', because: 'the owners of mirrored products are other companies' },
    { inside: 'countAfter', table: '(computed)', because: 'both halves have their company_id in them' },
    {
      inside: 'readCompaniesUnder',
      table: 'product_bindings',
      because: 'every company may sell under a general license',
    },
  ],
  'src/catalog/products/mirrors/queries.ts': [
    { inside: 'selectMirrored', table: 'product_mirrors', because: 'the mirrors of an owner lie in other companies' },
    { inside: 'readMirrorsOf', table: 'product_mirrors', because: 'the mirrors of an owner lie in other companies' },
  ],
  'src/catalog/marketplace/mirrors/queries.ts': [
    {
      inside: 'readWaitingChanges',
      table: 'original_changes',
      because: 'the operator asks how the whole installation is doing',
    },
  ],
  'src/catalog/marketplace/queries.ts': [
    { inside: 'entries', table: '(computed)', because: 'the entries of the marketplace lie in other companies' },
  ],
  'src/catalog/marketplace/offers/queries.ts': [
    { inside: 'companies', table: '(computed)', because: 'an offer is made for other companies' },
  ],
  'src/apps/oauth/apps.commands.ts': [
    { inside: 'companiesWith', table: 'grants', because: 'an app is installed in companies that do not own it' },
  ],
  'src/identity/grants/commands.ts': [
    {
      inside: 'revokeGrantsOfUser',
      table: 'grants',
      because: 'a user of the partner makes grants for its associates, and loses them all',
    },
    {
      inside: 'revokeGrantsOfCustomer',
      table: 'grants',
      because: 'the account of a customer is one for all companies, and loses all its grants at once',
    },
    { inside: 'revokeGrantsOfUser', table: 'apps', because: 'an app acts for companies that do not own it' },
    expired('endLapsedCodes', 'refresh_tokens'),
    expired('deleteExpiredTokens', 'refresh_tokens'),
    expired('deleteExpiredTokens', 'access_tokens'),
  ],
  'src/apps/oauth/exchange/commands.ts': [
    {
      inside: 'lockRefreshToken',
      table: 'refresh_tokens',
      because: 'the hash of the token is what says which company it is for',
    },
    { inside: 'lockRefreshToken', table: 'apps', because: 'an app acts for companies that do not own it' },
    {
      inside: 'deleteAccessToken',
      table: 'access_tokens',
      because: 'the hash of the token is what says which company it is for',
    },
    { inside: 'deleteAccessToken', table: 'apps', because: 'an app acts for companies that do not own it' },
  ],
  'src/apps/webhooks/listening/queries.ts': [
    { inside: 'getSealedSecrets', table: 'apps', because: 'an app acts for companies that do not own it' },
  ],
  'src/apps/webhooks/sync/queries.ts': [
    { inside: 'findSyncUrl', table: 'apps', because: 'an app acts for companies that do not own it' },
  ],
  'src/apps/oauth/queries.ts': [
    { inside: 'findUsableApp', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'readAppNames', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'findCaller', table: 'users', because: 'the user of a partner lets apps in for its associates' },
    { inside: 'findCaller', table: 'access_tokens', because: 'the hash of the token is what says which company asks' },
    { inside: 'findCaller', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'findApp', table: 'apps', because: 'a client id names one app of the whole platform' },
    { inside: 'getDeveloper', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'listAllowedApps', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'listCustomerApps', table: 'apps', because: 'an app acts for companies that do not own it' },
    { inside: 'listAllowedApps', table: 'users', because: 'a user of the partner may have allowed it' },
  ],
  'src/selling/orders/queries.ts': [
    { inside: 'counted', table: '(computed)', because: 'it counts what ordersOf has found' },
    { inside: 'readAwaitingRates', table: 'orders', because: 'the worker counts what waits in all companies' },
    { inside: 'readUnpaid', table: 'orders', because: 'the worker cancels what nobody has paid, of every company' },
    { inside: 'readUnpaidBills', table: 'orders', because: 'the worker cancels unpaid bills, of every company' },
  ],
  'src/selling/payments/queries.ts': [
    { inside: 'readEndedReservations', table: 'payments', because: 'the worker ends the bills of every company' },
    { inside: 'readUnfinished', table: 'payments', because: 'the worker asks the gateways of all companies' },
  ],
  'src/selling/subscriptions/queries.ts': [{ inside: 'readRepriced', table: 'subscriptions', because: 'all prices' }],
  'src/catalog/pictures/queries.ts': [
    { inside: 'listFailedPictures', table: 'pictures', because: 'the operator may see the failures of all companies' },
  ],
  'src/platform/db/table-copies.ts': [
    { inside: 'readSequences', table: '(computed)', because: 'a sequence has no rows of a company' },
  ],
  'src/platform/db/sorts.ts': [
    { inside: 'rowsIn', table: '(computed)', because: 'the selects that it reads have their company_id in them' },
  ],
  'src/platform/db/row-inserts.ts': [
    { inside: 'prepareInsertRows', table: '(computed)', because: 'the rows that it inserts name their company' },
  ],
  'src/platform/db/writes.ts': [
    { inside: 'prepareInsert', table: '(computed)', because: 'the row that it inserts names its company' },
  ],
  'src/platform/db/kept-answers.ts': [expired('deleteOldKeys', 'idempotency_keys')],
  'src/platform/jobs/waits.ts': [{ inside: 'shortenWaits', table: 'jobs', because: CLOCK }],
  'src/apps/webhooks/sender/waiting.commands.ts': [
    { inside: 'shortenWaits', table: 'webhook_blocks', because: CLOCK },
    { inside: 'shortenWaits', table: 'deliveries', because: CLOCK },
    { inside: 'shortenWaits', table: 'webhooks', because: CLOCK },
  ],
  'src/platform/jobs/queue.ts': [
    expired('deleteOldFailures', 'jobs'),
    ...'claimRows finishJob postponeJob renewLease failJob selectWaitingKinds retryFailedJobs'
      .split(' ')
      .map((inside) => ({ inside, table: 'jobs', because: WORKER })),
    { inside: 'deleteFailedJobs', table: 'jobs', because: 'the operator may see the jobs of all companies' },
    { inside: 'idsInJobs', table: 'jobs', because: 'the operator may see the jobs of all companies' },
  ],
  'src/platform/mail/send.ts': [
    { inside: 'findUnsent', table: 'mails', because: WORKER },
    { inside: 'markSent', table: 'mails', because: WORKER },
    { inside: 'markFailed', table: 'mails', because: WORKER },
  ],
  'src/platform/mail/store.ts': [
    { inside: 'findLastMailId', table: 'mails', because: 'it only marks what was written before and after' },
    { inside: 'deleteMailsWith', table: 'mails', because: 'the mails of the service itself belong to no company' },
    { inside: 'listMails', table: 'mails', because: 'the operator may see the mails of all companies' },
    { inside: 'findMail', table: 'mails', because: 'the operator may see the mails of all companies' },
    { inside: 'countMails', table: 'mails', because: 'the operator may see the mails of all companies' },
    { inside: 'requeueMails', table: 'mails', because: 'the operator may see the mails of all companies' },
    expired('deleteOldMails', 'mails'),
  ],
  'src/catalog/prices/queries.ts': [
    { inside: 'pricesOfMirrors', table: 'prices', because: 'the owners of mirrored products are other companies' },
    { inside: 'countAfter', table: '(computed)', because: 'both halves have their company_id in them' },
  ],
  'src/catalog/products/mirrors/commands.ts': [
    { inside: 'noteAllChanges', table: 'product_mirrors', because: 'the mirrors of an owner lie in other companies' },
  ],
  'src/catalog/products/rows.commands.ts': [
    { inside: 'insertAll', table: '(computed)', because: 'the rows that it inserts have their company_id in them' },
  ],
  'src/identity/users/sessions/commands.ts': [
    expired('deleteOldSessions', 'sessions'),
    expired('deleteOldSessions', 'known_browsers'),
  ],
  'src/identity/users/sessions/queries.ts': [
    { inside: 'findSession', table: 'sessions', because: 'the hash of the token is what says who has signed in' },
    {
      inside: 'isKnownBrowser',
      table: 'known_browsers',
      because: 'the hash of the token is what says whose browser it is',
    },
  ],
  'src/catalog/theme-settings/proofs/commands.ts': [
    { inside: 'postponeCheck', table: 'theme_setting_hosts', because: WORKER },
  ],
  'src/catalog/theme-settings/proofs/queries.ts': [
    {
      inside: 'readClaimants',
      table: 'theme_setting_hosts',
      because: 'several companies may ask for a domain, and one of them gets it',
    },
    {
      inside: 'listDomains',
      table: 'theme_setting_hosts',
      because: 'the operator may see the domains of all companies',
    },
  ],
  'src/catalog/theme-settings/queries.ts': [
    { inside: 'findShopOwner', table: 'theme_settings', because: 'a login names the shop, which says whose it is' },
    {
      inside: 'readUnpresentedSettings',
      table: 'theme_settings',
      because: 'the program presents what a migration made, of every company',
    },
  ],
  'src/identity/users/invitations/commands.ts': [expired('deleteOldInvitations', 'invitation_mails')],
  'src/identity/users/invitations/queries.ts': [
    {
      inside: 'listTimesTo',
      table: 'invitation_mails',
      because: 'all companies together may not flood a person, and none of them is told',
    },
  ],
  'src/identity/users/links/commands.ts': [
    { inside: 'createLink', table: 'one_time_links', because: 'the link of the first run comes before any company' },
    { inside: 'useLink', table: 'one_time_links', because: 'the hash of the token is what says whose link it is' },
    expired('deleteOldLinks', 'one_time_links'),
  ],
  'src/identity/users/links/queries.ts': [
    { inside: 'findLink', table: 'one_time_links', because: 'the hash of the token is what says whose link it is' },
  ],
  'src/identity/users/queries.ts': [
    { inside: 'findUser', table: 'users', because: 'a token may act for a user of the partner' },
    { inside: 'findUserByEmail', table: 'users', because: 'an email address says which company signs in' },
    { inside: 'readUnpresentedUsers', table: 'users', because: 'a start presents the users of all companies' },
  ],
  'src/insight/visits/commands.ts': [
    expired('deleteOldVisits', 'visits'),
    expired('deleteOldVisits', 'visit_referrer_days'),
  ],
  'src/insight/visits/queries.ts': [
    { inside: 'listEndedDays', table: 'traffic_days', because: 'a day that is over is counted, of every company' },
  ],
}

export const EXCEPTIONS: readonly Exception[] = Object.entries(BY_FILE).flatMap(([path, exceptions]) =>
  exceptions.map((exception) => ({ path, ...exception })),
)
