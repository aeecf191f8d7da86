-- The credit note of a bill that was cancelled before anybody paid it. It belongs to the order, because there is no refund.
set local lock_timeout = '10s';

alter table invoices drop constraint invoices_kind;
alter table invoices add constraint invoices_kind check (kind = 'credit_note' or refund_id is null);
create unique index invoices_cancellation on invoices (company_id, order_id)
  where kind = 'credit_note' and refund_id is null;

-- Bills that were cancelled before this existed get theirs too.
insert into jobs (company_id, kind, data, due_at, created_at)
select company_id, 'order/follow-cancellation', json_build_object('order_id', orders.id), now(), now()
from orders
where financial_status = 'pending' and cancelled_at is not null
  and exists (
    select from invoices
    where invoices.company_id = orders.company_id and invoices.order_id = orders.id and invoices.kind = 'invoice'
  );
