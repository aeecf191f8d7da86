-- Where customers stopped in films, tracks and books.
set local lock_timeout = '10s';

create table content_positions (
  company_id bigint not null,
  entitlement_id bigint not null,
  file_id bigint not null,
  customer_id bigint not null,
  -- The place in a film or a track; 0 for books.
  seconds integer not null check (seconds >= 0),
  -- The place in a book, as its reader names it; empty for films and tracks.
  place text not null,
  -- How much of it is behind the customer, from 0 to 1.
  fraction real not null check (fraction between 0 and 1),
  updated_at timestamptz(0) not null,
  primary key (company_id, entitlement_id, file_id),
  foreign key (company_id, entitlement_id) references entitlements (company_id, id) on delete cascade
);

create index content_positions_latest on content_positions (company_id, customer_id, updated_at desc);
