-- That deliveries wait because of what may wait at a time is said as well; its subject is the workspace itself.
alter table attention_item drop constraint attention_item_kind_check;
alter table attention_item add constraint attention_item_kind_check
  check (kind in ('mention.spike', 'sentiment.negative_spike', 'keyword.noisy', 'channel.failing', 'deliveries.waiting'));
