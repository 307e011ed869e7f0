# SPDX-License-Identifier: MIT
"""Which hospital database a derivation rests on, told by the schemas of its tables. Knows no stored dataset."""

from functools import cache

from m4bench.data.catalogue import declared_datasets, declared_tables
from m4bench.model.errors import InputError
from m4bench.suites.derivation.library.catalogue import Library


@cache
def _site_of_schema() -> dict[str, str]:
    sites = {declaration.site for declaration in declared_datasets().values()}
    return {t.schema_name: site for site in sites for t in declared_tables(site).values()}


def site_of(library: Library, name: str) -> str | None:
    """Return the site a derivation rests on, or None when its tables are those of no declared site.

    Raises:
        InputError: there is no such derivation, or it rests on more than one site.
    """
    schemas = {table.split(".")[0] for table in library.source_tables(name)}
    sites = {_site_of_schema().get(schema) for schema in schemas}
    if len(sites) > 1:
        told = ", ".join(sorted(schemas))
        raise InputError(f"{name} rests on more than one hospital database: {told}")
    return next(iter(sites), None)


def serves(library: Library, name: str, site: str) -> bool:
    """Tell whether a dataset of a site is one a derivation can be meant for."""
    return site_of(library, name) in (None, site)
