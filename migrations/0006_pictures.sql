-- Pictures are fetched after the answer, by a job. `position` is set for a product's preview pictures; a picture without
-- one belongs to a locale, which names it by id.
set local lock_timeout = '10s';

create table pictures (
  company_id bigint not null references companies (id),
  id bigint not null,
  product_key bigint,
  category_id bigint,
  position integer,
  source_url text not null,
  state text not null default 'pending' check (state in ('pending', 'stored', 'failed')),
  failure text,
  attempts integer not null default 0,
  file text,
  content_type text,
  width integer,
  height integer,
  bytes integer,
  created_at timestamptz(0) not null,
  stored_at timestamptz(0),
  primary key (company_id, id),
  foreign key (company_id, product_key) references products (company_id, id) on delete cascade,
  foreign key (company_id, category_id) references categories (company_id, id) on delete cascade
);

create index pictures_product on pictures (company_id, product_key);
create index pictures_category on pictures (company_id, category_id);
create index pictures_failed on pictures (company_id, id) where state = 'failed';
