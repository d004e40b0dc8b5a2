-- Channels whose headers were stored before their values were sealed. A job seals them; then none is left to be found.
create index channel_unsealed on channel (workspace_id, id) where jsonb_typeof(config -> 'headers') = 'object';
