-- The search of shops finds the titles of a product in every language, then the words of its descriptions. The words are
-- kept beside the product, because working them out for every product that a search looks at takes longer than the search.
-- `@1000` stands for the company in each of them: without it, an index would return the products of all companies.
set local lock_timeout = '10s';

-- A text search vector has at most 1 MB, so only the beginning of what is longer than any product is indexed.
create or replace function product_words(company_id bigint, title text, locales json, attribute text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array['@' || company_id]) || to_tsvector('simple', left(
    title || ' ' || coalesce((select string_agg(concat_ws(' ', locale ->> 'title', locale ->> attribute), ' ')
      from json_array_elements(locales) as locale), ''), 100000));

alter table products
  add column title_words tsvector not null generated always as (product_words(company_id, title, locales, null)) stored,
  add column text_words tsvector not null generated always as (product_words(company_id, title, locales, 'description')) stored;

create index products_words_of_titles on products using gin (title_words);
create index products_words_of_texts on products using gin (text_words);
