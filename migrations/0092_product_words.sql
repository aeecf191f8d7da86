-- The words by which products are found move to a table of their own. A row of products fills a whole page, so a search that
-- looked at thousands of them read thousands of pages; and every change of a product, such as its stock, wrote its words
-- again into both indexes.
set local lock_timeout = '10s';

create table product_words (
  company_id bigint not null,
  product_key bigint not null,
  -- Published and valid. The rest of what appears in a shop depends on other tables, on the theme and on the time.
  is_shown boolean not null,
  title_words tsvector not null,
  text_words tsvector not null,
  primary key (company_id, product_key),
  foreign key (company_id, product_key) references products (company_id, id) on delete cascade
) with (toast_tuple_target = 8160); -- A search reads many rows in turn, which takes long if their words are kept elsewhere.

-- `e-book`, `and/or` and `node.js` are two words each, in texts and in searches: PostgreSQL takes them for one, which is not found
-- by the second part or while it is typed. Tags stay as they are.
create or replace function separate_words(words text) returns text
  language sql immutable parallel safe
  return regexp_replace(words, '(?<=[^\s<>])[-./:@_](?=[^\s<>])', ' ', 'g');

-- `@1000` stands for the company: without it, an index would return the products of all companies. The places of words in a
-- text are left out, because no search asks for them. Only the beginning of what is longer than any product is indexed: the
-- words of a text have at most 1 MB. The words of a text contain those of the titles, however long the text is, so that a search
-- by the index of texts finds titles too.
create or replace function words_of_product(company_id bigint, title text, locales json, attribute text) returns tsvector
  language sql immutable parallel safe
  return strip(array_to_tsvector(array['@' || company_id])
    || to_tsvector('simple', separate_words(left(title || ' ' || coalesce((select string_agg(locale ->> 'title', ' ')
      from json_array_elements(locales) as locale), ''), 100000)))
    || to_tsvector('simple', separate_words(left(coalesce((select string_agg(locale ->> attribute, ' ')
      from json_array_elements(locales) as locale), ''), 100000))));

insert into product_words (company_id, product_key, is_shown, title_words, text_words)
select company_id, id, published and valid, words_of_product(company_id, title, locales, null),
  words_of_product(company_id, title, locales, 'description')
from products order by company_id, id;

create index product_words_of_titles on product_words using gin (title_words);
create index product_words_of_texts on product_words using gin (text_words);

-- Lists of a shop show the titles of products and not their texts, which are much longer.
create or replace function titles_in(locales json) returns json
  language sql immutable parallel safe
  return (select coalesce(json_agg(json_build_object('language', locale ->> 'language', 'title', locale ->> 'title',
    'picture_id', locale -> 'picture_id')), '[]') from json_array_elements(locales) as locale);

alter table products
  drop column title_words,
  drop column text_words,
  add column titles json not null generated always as (titles_in(locales)) stored;

drop function product_words(bigint, text, json, text);
