-- The titles under which products were sold. Orders are found by the words of a title through them: there are far fewer titles than
-- lines, and the index of lines by product leads on. A product that was renamed or deleted is still found by what its buyers read.
set local lock_timeout = '10s';

create table sold_titles (
  company_id bigint not null references companies (id),
  product_id text not null,
  title text not null,
  words tsvector not null,
  primary key (company_id, product_id, title)
);

-- `@1000` stands for the company: without it, an index would return the titles of all companies.
insert into sold_titles (company_id, product_id, title, words)
select company_id, product_id, title, strip(array_to_tsvector(array['@' || company_id])
  || to_tsvector('simple', regexp_replace(lower(title), '[^[:alnum:]]+', ' ', 'g')))
from (select distinct company_id, product_id, title from order_lines) as sold
order by company_id, product_id, title;

create index sold_titles_words on sold_titles using gin (words);
