"""Writes the workbooks of src/node/table-xlsx.test.ts with openpyxl 3.1 and XlsxWriter 3.2."""

import datetime
import openpyxl
import xlsxwriter

WHEN = datetime.datetime(2024, 2, 29, 13, 30)


def shared() -> None:
    """Shared strings, styles, a hidden sheet and an empty one."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Customers & more"
    sheet.append(["name", "size", "joined", "active", "note", None, "name"])
    sheet.append(["Köln", 1.5, WHEN, True, "two\nlines", "x", 1])
    sheet.append(["東京", -2e-7, datetime.date(1900, 1, 1), False, "<a> & 'b'", None, 2])
    sheet.append([])
    sheet.append(["=1/0", None, None, None, "007", None, 3])
    sheet["A5"].value, sheet["A5"].data_type = "#DIV/0!", "e"
    sheet["B5"].number_format = "0.00"
    book.create_sheet("Hidden").sheet_state = "hidden"
    book.create_sheet("Empty")
    book.save("openpyxl.xlsx")


def inline() -> None:
    """Inline strings, dates since 1904, rich text, a custom format and a formula."""
    book = xlsxwriter.Workbook("xlsxwriter.xlsx", {"constant_memory": True, "date_1904": True})
    sheet = book.add_worksheet("S")
    day = book.add_format({"num_format": '[$-409]d" of" mmmm'})
    red = book.add_format({"num_format": "[Red]0.0"})
    sheet.write_row(0, 0, ["a", "when", "red", "sum"])
    sheet.write_rich_string(1, 0, "one ", red, "two")
    sheet.write_datetime(1, 1, WHEN, day)
    sheet.write_number(1, 2, 3.25, red)
    sheet.write_formula(1, 3, "=1+1", None, 2)
    sheet.write_formula(2, 0, '="x"', None, "x")
    book.close()


shared()
inline()
