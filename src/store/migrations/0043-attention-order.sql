-- As the log of deliveries does, items keep the order of the keys that their event has. Nothing asks for what is inside.
alter table attention_item alter column data type json using data::json;
alter table owner_notice alter column data type json using data::json;
