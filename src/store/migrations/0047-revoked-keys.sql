-- Revoked keys are forgotten when they are old.
create index api_key_revoked on api_key (revoked_at) where revoked_at is not null;
