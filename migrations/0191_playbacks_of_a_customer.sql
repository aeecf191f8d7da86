-- How many keys somebody may still get who begins again is found by what they played just before.
set local lock_timeout = '10s';

create index playbacks_entitlement on playbacks (company_id, entitlement_id, seen_at);
