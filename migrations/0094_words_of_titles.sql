-- The words of a text contain those of the titles, whatever the texts are: a search by the index of texts finds titles too. They
-- did not where a title came after 100,000 characters, or where the text after a title made it a part of a tag.
set local lock_timeout = '10s';

create or replace function words_of_product(company_id bigint, title text, locales json, attribute text) returns tsvector
  language sql immutable parallel safe
  return strip(array_to_tsvector(array['@' || company_id])
    || to_tsvector('simple', left(title || ' ' || coalesce((select string_agg(locale ->> 'title', ' ')
      from json_array_elements(locales) as locale), ''), 100000))
    || to_tsvector('simple', left(coalesce((select string_agg(locale ->> attribute, ' ')
      from json_array_elements(locales) as locale), ''), 100000)));

update product_words set text_words = text_words || title_words
where length(text_words || title_words) > length(text_words);
