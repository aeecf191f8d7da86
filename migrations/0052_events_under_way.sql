-- Events whose changes were not committed when a webhook was created.
set local lock_timeout = '10s';

-- Their ids are not above since_event_id, and the webhook gets them all the same. Null: none.
alter table webhooks add column unseen_event_ids bigint[];
