-- What visitors of a shop filter and sort lists by, beside the words that find a product. The words have a mark for each
-- value too (`@gdrama`), so that one index finds the products of a category, of a genre and of a year together.
-- `licet rebuild` fills the columns of products that exist.
set local lock_timeout = '10s';

alter table product_words
  add column kind text not null default 'other',
  add column year integer,
  -- The lowest price in cents of a euro, at the rates of the day when the product changed last.
  add column price_cents bigint,
  -- The title in lower case and without accents.
  add column sort_title text collate "C" not null default '',
  add column genres text[] not null default '{}',
  -- As the owner writes them, in the order of the genres.
  add column genre_names text[] not null default '{}',
  add column languages text[] not null default '{}',
  add column formats text[] not null default '{}';

create index product_words_by_price on product_words (company_id, price_cents, product_key);
create index product_words_by_title on product_words (company_id, sort_title, product_key);
