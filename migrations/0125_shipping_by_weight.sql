-- What a shipping method costs can depend on the weight of the parcel, and be nothing from an amount on.
set local lock_timeout = '10s';

alter table shipping_methods
  -- [{weight_max, price_id}], lightest first: grams, or null for any weight; the price model, or null for nothing.
  -- Empty: price_id applies to every weight.
  add column weight_rates jsonb not null default '[]',
  -- In cents, in the currency of the company; null: never.
  add column free_from bigint check (free_from >= 0);

alter table shipping_methods alter column weight_rates drop default;
