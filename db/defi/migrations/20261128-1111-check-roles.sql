alter table defi_assets validate constraint defi_assets_role_check;
