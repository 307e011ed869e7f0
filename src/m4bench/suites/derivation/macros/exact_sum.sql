-- SPDX-License-Identifier: MIT
-- A number to be added, as a decimal of nine places: decimals have one sum in whatever order they come, doubles
-- have not. What no decimal holds, such as infinity, is null.
CREATE MACRO to_be_added(number) AS TRY_CAST(number AS DECIMAL(38, 9));
