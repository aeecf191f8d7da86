-- Finds whether a delivery of a resource waits for its next attempt, which the later ones of the resource wait behind.
-- Without it each of them looked at all that were queued before it.
set local lock_timeout = '10s';

create index deliveries_postponed on deliveries (company_id, receiver, resource, id)
  where state = 'pending' and due_at is not null;
