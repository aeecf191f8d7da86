-- Keys of content, sealed with the secret of the installation, and the films that are being played with them.
set local lock_timeout = '10s';

create table content_keys (
  company_id bigint not null references companies (id),
  -- What the key is for, such as `packed/1000`.
  subject text not null,
  sealed bytea not null,
  created_at timestamptz(0) not null,
  primary key (company_id, subject)
);

-- A film or recording that a customer plays on one device. Its keys are made for it alone.
create table playbacks (
  company_id bigint not null references companies (id),
  id text not null,
  entitlement_id bigint not null,
  customer_id bigint not null,
  -- The session in which it was begun, and no other, may use it.
  session_key text not null,
  device_id text not null,
  -- The packed files that may be played, the best first.
  versions json not null,
  -- How many keys it may still get at once, at a time.
  allowance double precision not null,
  allowance_at timestamptz(3) not null,
  created_at timestamptz(0) not null,
  seen_at timestamptz(0) not null,
  -- Why it gets no more keys.
  ended text check (ended in ('left', 'elsewhere')),
  primary key (company_id, id)
);

create index playbacks_device on playbacks (company_id, entitlement_id, device_id) where ended is null;
create index playbacks_seen on playbacks (seen_at);
