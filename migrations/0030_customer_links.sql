-- Links with which a customer whom several companies know changes e-mail address or password: none of them may do it
-- alone. A link is kept as a hash, works once, and goes a day after it was made; until then it counts, used or not,
-- towards the few that a day may have.
set local lock_timeout = '10s';

create table customer_links (
  token_hash bytea primary key,
  -- The company that asked.
  company_id bigint not null references companies (id),
  customer_id bigint not null references customers (id) on delete cascade,
  -- The first three go to the address that the customer has; a proof goes to the one that it is to be.
  kind text not null check (kind in ('email', 'password', 'both', 'proof')),
  new_email text,
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  -- When it was used, replaced by the next one or made void by a change of the account.
  ended_at timestamptz(0),
  constraint customer_links_new_email check ((kind = 'password') = (new_email is null))
);

create index customer_links_customer on customer_links (customer_id);
create index customer_links_expiry on customer_links (expires_at);
