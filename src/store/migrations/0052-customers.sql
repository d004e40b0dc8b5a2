-- Whose customer somebody is at the payment provider: a payment that names one workspace and comes from the customer of another is
-- credited to neither.
create index billing_customer_by_id on billing_customer (customer_id);
