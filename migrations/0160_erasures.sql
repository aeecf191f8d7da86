-- Whom companies have erased, so that they are erased again after an older backup was restored. The reference is a hash of the company
-- and the random token of the customer: nobody is found by it but in a backup that has the customer still.
set local lock_timeout = '10s';

create table erasures (
  company_id bigint not null,
  reference text not null check (reference ~ '^[0-9a-f]{64}$'),
  erased_at timestamptz(0) not null,
  primary key (company_id, reference)
);
